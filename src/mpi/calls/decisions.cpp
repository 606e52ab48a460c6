// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/decisions.hpp"

#include <algorithm>

namespace espalier {

bool ChangingDecision::is_for(const Problem& other) const {
  return problem_.collective == other.collective && problem_.root == other.root && problem_.count == other.count &&
         problem_.element_bytes == other.element_bytes && problem_.arithmetic == other.arithmetic &&
         problem_.is_uneven == other.is_uneven;
}

Decisions::Ruled Decisions::rule(const Selector& selector, const Problem& problem, const Shape& shape) {
  const auto known = std::ranges::find_if(changing_, [&](const auto& one) { return one->is_for(problem); });
  if (known != changing_.end()) return {(*known)->next().choice, known->get()};
  Decision decision = selector.decide(problem, shape);
  if (decision.holds_for_ever()) return {decision.look(0).choice, nullptr};
  if (changing_.size() == max_contexts) return {{.reason = "more contexts than decisions are kept for"}, nullptr};
  ChangingDecision& added = *changing_.emplace_back(std::make_unique<ChangingDecision>(problem, std::move(decision)));
  return {added.next().choice, &added};
}

}  // namespace espalier
