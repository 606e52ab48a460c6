// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/decisions.hpp"

#include <algorithm>
#include <bit>

namespace espalier {

namespace {

// Additions in another order would show in the bits: what is chosen may depend on nothing but the size itself.
bool is_of_like_size(const Problem& one, const Problem& other) {
  if (one.arithmetic == Arithmetic::exact) return std::bit_width(one.bytes()) == std::bit_width(other.bytes());
  return one.count == other.count && one.element_bytes == other.element_bytes;
}

}  // namespace

bool ChangingDecision::is_for(const Problem& other) const {
  return problem_.collective == other.collective && problem_.root == other.root &&
         problem_.arithmetic == other.arithmetic && problem_.is_uneven == other.is_uneven &&
         is_of_like_size(problem_, other);
}

Decisions::Found Decisions::find(const Selector& selector, const Problem& problem, const Shape& shape) {
  const auto known = std::ranges::find_if(changing_, [&](const auto& one) { return one->is_for(problem); });
  if (known != changing_.end()) return {.changing = known->get()};
  Decision decision = selector.decide(problem, shape);
  if (decision.holds_for_ever()) return {.choice = decision.look(0).choice};
  if (changing_.size() == max_contexts) return {.choice = {.reason = "more contexts than decisions are kept for"}};
  changing_.push_back(std::make_unique<ChangingDecision>(problem, std::move(decision)));
  return {.changing = changing_.back().get()};
}

}  // namespace espalier
