// SPDX-License-Identifier: Apache-2.0
#include "levels/lent_messages.hpp"

#include <algorithm>

namespace espalier {

namespace {

struct AreaUse {
  std::vector<std::uint32_t> writers, readers;
};

std::vector<AreaUse> uses_of_areas(const Schedule& schedule) {
  std::vector<AreaUse> uses(schedule.areas.size());
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    const auto note = [&](const Region& region, std::vector<std::uint32_t> AreaUse::*side) {
      if (region.buffer == Buffer::scratch) (uses[static_cast<std::size_t>(region.area)].*side).push_back(k);
    };
    note(operation.source, &AreaUse::readers);
    note(operation.source_right, &AreaUse::readers);
    note(operation.target, &AreaUse::writers);
  }
  return uses;
}

// A merged receive, if nobody but this reduction sees what it received: others may read the result in its place.
std::optional<std::uint32_t> merged_lender(const Schedule& schedule, const std::vector<AreaUse>& uses,
                                           std::uint32_t reduction, const Region& operand) {
  if (operand.buffer != Buffer::scratch) return std::nullopt;
  const AreaUse& use = uses[static_cast<std::size_t>(operand.area)];
  if (use.writers.empty()) return std::nullopt;
  const std::uint32_t receive = use.writers.front();
  const bool is_merged =
      schedule.operations[receive].kind == Operation::Kind::recv && schedule.operations[receive].merged;
  const bool has_result = use.writers == std::vector{receive, reduction};
  const bool is_read_once = use.writers.size() == 1 && use.readers == std::vector{reduction};
  return is_merged && (has_result || is_read_once) ? std::optional(receive) : std::nullopt;
}

}  // namespace

std::vector<Lenders> find_lenders_on_node(const Schedule& schedule) {
  std::vector<Lenders> lenders = find_lenders(schedule);
  const std::vector<AreaUse> uses = uses_of_areas(schedule);
  for (std::uint32_t k = 0; k < lenders.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    if (operation.kind != Operation::Kind::reduce) continue;
    if (!lenders[k].left) lenders[k].left = merged_lender(schedule, uses, k, operation.source);
    if (!lenders[k].right) lenders[k].right = merged_lender(schedule, uses, k, operation.source_right);
  }
  return lenders;
}

}  // namespace espalier
