// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/decisions.hpp"

#include <algorithm>

namespace espalier {

Decisions::Found Decisions::find(const Selector& selector, const Problem& problem, const Shape& shape) {
  const ContextKey key = context_of(problem);
  const auto known = std::ranges::find_if(changing_, [&](const auto& one) { return one->context() == key; });
  if (known != changing_.end()) return {.changing = known->get()};
  Decision decision = selector.decide(problem, shape);
  if (decision.holds_for_ever()) return {.choice = decision.look(0).choice};
  if (changing_.size() == max_contexts) return {.choice = {.reason = "more contexts than decisions are kept for"}};
  changing_.push_back(std::make_unique<ChangingDecision>(key, std::move(decision)));
  return {.changing = changing_.back().get()};
}

std::vector<ContextStory> Decisions::stories() const {
  std::vector<ContextStory> stories;
  for (const auto& each : changing_) {
    if (auto story = each->story()) stories.push_back(*std::move(story));
  }
  return stories;
}

}  // namespace espalier
