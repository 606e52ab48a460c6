// SPDX-License-Identifier: Apache-2.0
#include "policy/measured/learnt.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/hash.hpp"
#include "select/choice_text.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

// What was not tried again is less and less sure from job to job.
void add_if_fresh(const KnownChoice& known, double sd, std::vector<KnownAlgorithm>& known_algorithms) {
  constexpr double max_sd = .35;
  if (sd < max_sd) known_algorithms.push_back({text_of(known.choice), tuning::exp_of(known.log_seconds), sd});
}

}  // namespace

ContextMemory what_was_learnt(const Problem& problem, std::span<const Alternative> alternatives,
                              const tuning::Tuner& tuner, std::span<const KnownChoice> known, double calls) {
  ContextMemory learnt{.key = context_of(problem), .calls = calls};
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    const tuning::Opinion opinion = tuner.opinion(static_cast<int>(i));
    if (opinion.seconds > 0) {
      learnt.known_algorithms.push_back({text_of(alternatives[i].choice), opinion.seconds, opinion.sd});
    } else if (const auto same = std::ranges::find(known, alternatives[i].choice, &KnownChoice::choice);
               same != known.end()) {
      add_if_fresh(*same, alternatives[i].estimate.sd, learnt.known_algorithms);
    }
  }
  const std::string best = text_of(alternatives[tuning::index_of(tuner.plan().incumbent)].choice);
  std::ranges::sort(learnt.known_algorithms, {},
                    [&](const KnownAlgorithm& entry) { return std::pair(entry.choice != best, entry.seconds); });
  return learnt;
}

std::optional<ObservedTimes> what_was_observed(const Choice& choice, const SampledTimes& times) {
  constexpr std::uint64_t min_timed = 4;
  if (times.count() < min_timed) return std::nullopt;
  const auto [low, median, high] = times.quartiles();
  return ObservedTimes{text_of(choice), times.count(), low, median, high};
}

std::uint64_t hash_of(const ContextMemory& memory) {
  std::uint64_t hash = hash_of_nothing;
  for (const KnownAlgorithm& entry : memory.known_algorithms) {
    hash = hash_of_text(entry.choice, hash);
    for (const double number : {entry.seconds, entry.sd})
      hash = hash_of_number(std::bit_cast<std::uint64_t>(number), hash);
  }
  return hash;
}

}  // namespace espalier
