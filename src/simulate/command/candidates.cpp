// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/candidates.hpp"

#include "algorithms/algorithm.hpp"
#include "estimate/contest.hpp"
#include "settings/number.hpp"
#include "settings/words.hpp"
#include "tool/requests.hpp"

namespace espalier::tool {

namespace {

const Algorithm& algorithm_named(Collective collective, std::string_view name) {
  if (const Algorithm* found = find_algorithm(collective, name)) return *found;
  std::vector<std::string_view> names;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective == collective) names.push_back(algorithm.name);
  }
  throw BadRequest("--algorithm " + std::string(name) + ": no such algorithm; " + advice(name, names));
}

int small_number(std::string_view word, std::string_view value) {
  constexpr std::size_t most = 4096;
  const auto number = parse_number(value);
  if (number && *number >= 1 && *number <= most) return static_cast<int>(*number);
  throw BadRequest("--algorithm " + std::string(word) + ": allowed: 1 to " + std::to_string(most));
}

void set_parameter(std::string_view word, SimulatedCandidate& candidate) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals), value = word.substr(equals + 1);
  if (name == "segment") {
    candidate.segment_bytes = requested_size("--algorithm segment", std::string(value));
  } else if (name == "window") {
    candidate.window = small_number(word, value);
  } else if (name == "radix") {
    candidate.radix = small_number(word, value);
  } else {
    throw BadRequest("--algorithm " + std::string(word) + ": allowed: segment=SIZE, window=N or radix=N");
  }
}

void check_exists(const Algorithm& algorithm, const Shape& shape) {
  if (exists_for(algorithm, shape)) return;
  throw BadRequest("--algorithm " + std::string(algorithm.name) + ": does not exist on this machine" +
                   (algorithm.needs == Needs::torus ? ", as it needs a torus" : ""));
}

std::vector<SimulatedCandidate> all_of(Collective collective, const Shape& shape) {
  std::vector<SimulatedCandidate> candidates;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective == collective && exists_for(algorithm, shape))
      candidates.push_back({&algorithm, {}, {}, {}});
  }
  return candidates;
}

}  // namespace

Choice SimulatedCandidate::choice(const Problem& problem, const Shape& shape) const {
  Choice choice = choice_of(Contestant{algorithm, pipeline_of(*algorithm, shape)}, problem, shape);
  if (segment_bytes) choice.cut.segment_bytes = *segment_bytes;
  if (window) choice.cut.window = *window;
  if (radix) choice.radix = *radix;
  return choice;
}

std::vector<SimulatedCandidate> requested_candidates(Collective collective, const std::string& text,
                                                     const Shape& shape) {
  if (text.empty()) return all_of(collective, shape);
  std::vector<SimulatedCandidate> candidates;
  for (const std::string_view word : split(text, ',')) {
    if (word.find('=') == std::string_view::npos) {
      candidates.push_back({&algorithm_named(collective, word), {}, {}, {}});
      check_exists(*candidates.back().algorithm, shape);
    } else if (candidates.empty()) {
      throw BadRequest("--algorithm " + text + ": begins with a parameter; allowed: NAME,segment=SIZE");
    } else {
      set_parameter(word, candidates.back());
    }
  }
  return candidates;
}

}  // namespace espalier::tool
