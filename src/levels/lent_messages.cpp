// SPDX-License-Identifier: Apache-2.0
#include "levels/lent_messages.hpp"

#include <algorithm>

namespace espalier {

namespace {

bool are_same(const Region& one, const Region& other) {
  return one.buffer == other.buffer && one.area == other.area && one.blocks == other.blocks &&
         one.place == other.place && one.label == other.label;
}

bool waits_for(const Schedule& schedule, const Operation& operation, std::uint32_t other) {
  const auto dependencies = schedule.dependencies_of(operation);
  return std::ranges::any_of(dependencies, [&](const Dependency& dependency) {
    return dependency.operation == other && !dependency.is_of_posting();
  });
}

// An operation that reads something waits for it, or for what waits for it.
bool waits_alone(const Schedule& schedule, const Operation& reduction, std::uint32_t receive) {
  return std::ranges::none_of(schedule.operations, [&](const Operation& one) {
    return &one != &reduction && waits_for(schedule, one, receive);
  });
}

int readers_of_area(const Schedule& schedule, int area) {
  int count = 0;
  for (const Operation& one : schedule.operations) {
    count += (one.source.area == area ? 1 : 0) + (one.source_right.area == area ? 1 : 0);
  }
  return count;
}

std::optional<std::uint32_t> lender_on_node(const Schedule& schedule, const Operation& reduction,
                                            const Region& operand) {
  const bool is_overwritten = are_same(operand, reduction.target);
  const bool is_read_once = operand.buffer == Buffer::scratch && readers_of_area(schedule, operand.area) == 1;
  if (!is_overwritten && !is_read_once) return std::nullopt;
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& one = schedule.operations[k];
    const bool is_its_receive = one.kind == Operation::Kind::recv && one.merged == reduction.merged &&
                                are_same(one.target, operand) && waits_for(schedule, reduction, k);
    if (is_its_receive && waits_alone(schedule, reduction, k)) return k;
  }
  return std::nullopt;
}

}  // namespace

std::vector<Lenders> find_lenders_on_node(const Schedule& schedule) {
  std::vector<Lenders> lenders = find_lenders(schedule);
  for (std::uint32_t k = 0; k < lenders.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    if (operation.kind != Operation::Kind::reduce) continue;
    if (!lenders[k].left) lenders[k].left = lender_on_node(schedule, operation, operation.source);
    if (!lenders[k].right) lenders[k].right = lender_on_node(schedule, operation, operation.source_right);
  }
  return lenders;
}

}  // namespace espalier
