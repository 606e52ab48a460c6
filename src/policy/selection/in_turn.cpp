// SPDX-License-Identifier: Apache-2.0
#include "policy/selection/in_turn.hpp"

#include "algorithms/unfit.hpp"

namespace espalier {

namespace {

// No two of these numbers of values have a divisor in common, so all combinations come up.
constexpr std::size_t segments_of_message[] = {1, 3, 16, 2, 7};
constexpr int windows[] = {4, 1, 64};
constexpr int radices[] = {2, 3, 8, 4};
constexpr int leaders_of_nodes[] = {2, 0, 1, 0, 64, 0, 3};

template <class Value, std::size_t count>
Value at_turn(const Value (&values)[count], std::uint64_t turn) {
  return values[turn % count];
}

// 0: not cut.
std::size_t segment_at(std::uint64_t turn, std::size_t bytes) {
  const std::size_t segments = at_turn(segments_of_message, turn);
  return segments == 1 ? 0 : (bytes + segments - 1) / segments;
}

}  // namespace

InTurnPolicy::InTurnPolicy(const Problem& problem, const Shape& shape)
    : problem_(problem), shape_(shape), algorithms_{nullptr} {
  for (const Algorithm& algorithm : registry()) {
    if (unfit_for(algorithm, problem, shape) == nullptr) algorithms_.push_back(&algorithm);
  }
}

RunCalls InTurnPolicy::run(std::uint64_t ordinal) {
  Choice choice{.algorithm = algorithms_[ordinal % algorithms_.size()], .reason = "forced: all in turn"};
  if (!choice.native()) {
    const std::uint64_t turn = ordinal / algorithms_.size();
    choice.cut = {.segment_bytes = segment_at(turn, problem_.bytes()), .window = at_turn(windows, turn)};
    choice.radix = at_turn(radices, turn);
    choice.leaders = at_turn(leaders_of_nodes, turn);
    if (unfit_for(choice, problem_, shape_) != nullptr) choice.leaders = 0;
  }
  return {.choice = choice, .calls = 1};
}

}  // namespace espalier
