// SPDX-License-Identifier: Apache-2.0
#include "engine/lending.hpp"

#include <algorithm>

namespace espalier {

namespace {

struct RingUse {
  std::vector<std::uint32_t> writers, readers;
};

std::vector<RingUse> uses_of_rings(const Schedule& schedule) {
  std::vector<RingUse> uses(schedule.areas.size());
  const auto note = [&](const Region& region, std::vector<std::uint32_t> RingUse::*side, std::uint32_t op) {
    if (region.buffer == Buffer::scratch) (uses[static_cast<std::size_t>(region.area)].*side).push_back(op);
  };
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    note(operation.source, &RingUse::readers, k);
    note(operation.source_right, &RingUse::readers, k);
    note(operation.target, &RingUse::writers, k);
  }
  return uses;
}

// Item i of `later` comes after item i of `earlier`.
bool follows(const Schedule& schedule, std::uint32_t later, std::uint32_t earlier) {
  const auto dependencies = schedule.dependencies_of(schedule.operations[later]);
  return std::ranges::any_of(dependencies, [&](const Dependency& dependency) {
    return dependency == Dependency{.operation = earlier, .shift = 0, .kind = Dependency::Kind::aligned};
  });
}

// Nobody else sees the messages: the reduction may put its result in their place, and others read that.
bool reads_alone(const Schedule& schedule, const RingUse& use, std::uint32_t receive, std::uint32_t reduction) {
  const auto is_receive_or_reduction = [&](std::uint32_t op) { return op == receive || op == reduction; };
  const auto reads_its_result = [&](std::uint32_t op) {
    return op == reduction || (use.writers.size() == 2 && follows(schedule, op, reduction));
  };
  return std::ranges::all_of(use.writers, is_receive_or_reduction) &&
         std::ranges::all_of(use.readers, reads_its_result) && follows(schedule, reduction, receive);
}

}  // namespace

std::vector<Lenders> find_lenders(const Schedule& schedule) {
  const std::vector<RingUse> uses = uses_of_rings(schedule);
  const auto lender_of = [&](std::uint32_t reduction, const Region& operand) -> std::optional<std::uint32_t> {
    if (operand.buffer != Buffer::scratch) return {};
    const auto area = static_cast<std::size_t>(operand.area);
    if (schedule.areas[area].kind != Area::Kind::ring || uses[area].writers.empty()) return {};
    const std::uint32_t first_writer = uses[area].writers.front();
    const bool lends = schedule.operations[first_writer].kind == Operation::Kind::recv &&
                       reads_alone(schedule, uses[area], first_writer, reduction);
    return lends ? std::optional(first_writer) : std::nullopt;
  };
  std::vector<Lenders> lenders(schedule.operations.size());
  for (std::uint32_t k = 0; k < lenders.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    if (operation.kind != Operation::Kind::reduce) continue;
    lenders[k] = {lender_of(k, operation.source), lender_of(k, operation.source_right)};
  }
  return lenders;
}

}  // namespace espalier
