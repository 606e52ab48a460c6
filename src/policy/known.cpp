// SPDX-License-Identifier: Apache-2.0
#include "policy/known.hpp"

#include "select/choice_text.hpp"
#include "tuning/evidence/same_bits.hpp"

namespace espalier {

std::optional<Choice> pinned_choice(const ContextMemory& context, const Problem& problem, const Shape& shape) {
  std::optional<Choice> choice = choice_from(context.ways.front().choice, problem, shape);
  if (choice) choice->reason = "pinned in the memory";
  return choice;
}

Start start_from(const ContextMemory& context, const Problem& problem, const Shape& shape, const Choice& usual,
                 bool is_bound_to_order) {
  Start start{usual, {}};
  for (const KnownWay& way : context.ways) {
    const std::optional<Choice> choice = choice_from(way.choice, problem, shape);
    if (!choice || (is_bound_to_order && !adds_alike(*choice, usual))) continue;
    start.known.push_back({*choice, tuning::log_of(way.seconds), way.sd});
  }
  if (start.known.empty()) return start;
  start.usual = start.known.front().choice;
  start.usual.reason = "remembered: the fastest";
  return start;
}

}  // namespace espalier
