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
void add_if_fresh(const KnownChoice& known, double sd, std::vector<KnownWay>& ways) {
  constexpr double max_sd = .35;
  if (sd < max_sd) ways.push_back({text_of(known.choice), tuning::exp_of(known.log_seconds), sd});
}

}  // namespace

ContextMemory what_was_learnt(const Problem& problem, std::span<const Alternative> alternatives,
                              const tuning::Tuner& tuner, std::span<const KnownChoice> known, double calls) {
  ContextMemory learnt{.key = context_of(problem), .calls = calls};
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    const tuning::Opinion opinion = tuner.opinion(static_cast<int>(i));
    if (opinion.seconds > 0) {
      learnt.ways.push_back({text_of(alternatives[i].choice), opinion.seconds, opinion.sd});
    } else if (const auto same = std::ranges::find(known, alternatives[i].choice, &KnownChoice::choice);
               same != known.end()) {
      add_if_fresh(*same, alternatives[i].estimate.sd, learnt.ways);
    }
  }
  const std::string best = text_of(alternatives[tuning::index_of(tuner.plan().incumbent)].choice);
  std::ranges::sort(learnt.ways, {}, [&](const KnownWay& way) { return std::pair(way.choice != best, way.seconds); });
  return learnt;
}

std::uint64_t hash_of(const ContextMemory& memory) {
  std::uint64_t hash = hash_of_nothing;
  for (const KnownWay& way : memory.ways) {
    hash = hash_of_text(way.choice, hash);
    for (const double number : {way.seconds, way.sd}) hash = hash_of_number(std::bit_cast<std::uint64_t>(number), hash);
  }
  return hash;
}

}  // namespace espalier
