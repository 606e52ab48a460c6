// SPDX-License-Identifier: Apache-2.0
#include "policy/known.hpp"

#include "select/choice_text.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

std::optional<Choice> pinned_choice(const ContextMemory& context, const Problem& problem, const Shape& shape) {
  std::optional<Choice> choice = choice_from(context.known_algorithms.front().choice, problem, shape);
  if (choice) choice->reason = "pinned in the memory";
  return choice;
}

Start start_from(const ContextMemory& context, const Problem& problem, const Shape& shape, const Choice& baseline,
                 bool is_bound_to_order) {
  Start start{baseline, {}};
  for (const KnownAlgorithm& entry : context.known_algorithms) {
    const std::optional<Choice> choice = choice_from(entry.choice, problem, shape);
    if (!choice || (is_bound_to_order && !adds_alike(*choice, baseline))) continue;
    start.known.push_back({*choice, tuning::log_of(entry.seconds), entry.sd});
  }
  if (start.known.empty()) return start;
  start.baseline = start.known.front().choice;
  start.baseline.reason = "remembered: the fastest";
  return start;
}

}  // namespace espalier
