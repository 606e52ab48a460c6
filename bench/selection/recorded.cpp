// SPDX-License-Identifier: Apache-2.0
#include "selection/recorded.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "contract/contract.hpp"
#include "select/choice_text.hpp"
#include "select/played.hpp"
#include "tuning/evidence/assumptions.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier::selection {

namespace {

constexpr std::size_t piece_calls = 8;
constexpr std::uint64_t seed_of_pieces = 20260101;

std::vector<double> read_logs(std::istream& text, std::size_t calls) {
  std::vector<double> logs(calls);
  for (double& log : logs) {
    double seconds = 0;
    if (!(text >> seconds) || !(seconds > 0)) throw std::invalid_argument("a recorded time is missing, or not above 0");
    log = std::log(seconds);
  }
  return logs;
}

void go_on(std::vector<double>& logs, std::size_t calls, Random& random) {
  const std::size_t recorded = logs.size(), half = recorded / 2;
  const std::size_t piece = std::min(piece_calls, recorded - half);
  while (logs.size() < calls) {
    const std::size_t begin = half + random.below(recorded - half - piece + 1);
    for (std::size_t k = 0; k < piece && logs.size() < calls; ++k) logs.push_back(logs[begin + k]);
  }
  logs.resize(calls);
}

double log_of_mean(const std::vector<double>& logs) {
  const double sum =
      std::accumulate(logs.begin(), logs.end(), 0., [](double so_far, double log) { return so_far + std::exp(log); });
  return std::log(sum / static_cast<double>(logs.size()));
}

Instance instance_of(std::size_t candidates, std::size_t calls) {
  return {.change = calls,
          .level = std::vector<double>(calls),
          .noise = std::vector<double>(calls),
          .spikes = std::vector<double>(calls),
          .noise_sd = std::vector<double>(candidates),
          .first_call = std::vector<double>(candidates),
          .estimates = std::vector<double>(candidates),
          .estimate_error = tuning::Assumptions{}.blind_estimate_sd};
}

// As the library does it where it knows nothing but how many ranks there are: next to the native MPI, which is thought
// to be as good as the best of the others where nothing can be said of it. `choices`: of each candidate.
std::vector<double> estimates(const RecordedContext& context, const std::vector<std::string>& choices) {
  std::vector<double> logs(choices.size());
  const auto collective = collective_named(context.collective);
  if (context.ranks == 0 || !collective) return logs;
  const bool has_blocks = contract_of(*collective).division != Division::by_algorithm;
  const auto blocks = static_cast<std::size_t>(has_blocks ? context.ranks : 1);
  const Problem problem{.collective = *collective, .count = std::max<std::size_t>(1, context.bytes / blocks)};
  const Shape shape{.size = context.ranks};
  const Played played(problem, shape);
  std::vector<std::optional<double>> known(choices.size());
  std::optional<double> native = played.seconds_of_native(), best;
  for (std::size_t a = 1; a < choices.size(); ++a) {
    const auto choice = choice_from(choices[a], problem, shape);
    if (!choice || choice->native()) continue;
    known[a] = played.seconds(*choice);
    if (known[a]) best = std::min(best.value_or(*known[a]), *known[a]);
  }
  if (!native) native = best;
  for (std::size_t a = 1; a < choices.size(); ++a)
    logs[a] = known[a] ? tuning::log_of(*known[a]) - tuning::log_of(*native) : 0;
  return logs;
}

void read_candidates(std::istream& text, std::size_t candidates, std::size_t recorded, std::size_t calls,
                     RecordedContext& context) {
  Random random(seed_of_pieces);
  std::vector<std::string> choices(candidates);
  for (std::size_t a = 0; a < candidates; ++a) {
    std::string& name = context.names.emplace_back();
    if (!(text >> name >> choices[a])) throw std::invalid_argument("a candidate's name is missing");
    context.instance.recorded.push_back(read_logs(text, recorded));
    go_on(context.instance.recorded.back(), calls, random);
    context.instance.own.push_back(log_of_mean(context.instance.recorded.back()));
  }
  context.instance.own_later = context.instance.own;
  context.instance.estimates = estimates(context, choices);
}

}  // namespace

std::vector<RecordedContext> read_recorded(std::istream& text, std::size_t calls) {
  std::vector<RecordedContext> contexts;
  RecordedContext context;
  std::size_t candidates = 0, recorded = 0;
  while (text >> context.job >> context.collective >> context.ranks >> context.bytes >> candidates >> recorded) {
    if (candidates == 0 || recorded == 0) throw std::invalid_argument("a recorded context is empty");
    context.names.clear();
    context.instance = instance_of(candidates, calls);
    read_candidates(text, candidates, recorded, calls, context);
    contexts.push_back(context);
  }
  return contexts;
}

}  // namespace espalier::selection
