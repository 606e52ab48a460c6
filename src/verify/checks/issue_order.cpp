// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/issue_order.hpp"

#include "engine/flat_program.hpp"
#include "verify/model/run.hpp"

namespace espalier::proof {

namespace {

Schedule with_flat_order(const Schedule& schedule, const Items& items) {
  const FlatProgram program = flat_order(schedule, items);
  Schedule result = schedule;
  result.dependencies.clear();
  const FlatStep* previous = nullptr;
  for (const FlatStep& step : program.steps) {
    Operation& op = result.operations[step.operation];
    const auto own = schedule.dependencies_of(schedule.operations[step.operation]);
    op.first_dependency = static_cast<std::uint32_t>(result.dependencies.size());
    result.dependencies.insert(result.dependencies.end(), own.begin(), own.end());
    if (previous != nullptr) result.dependencies.push_back({previous->operation, 0, Dependency::Kind::posted});
    for (const std::uint32_t message : program.waits_before(step)) {
      result.dependencies.push_back({message, 0, Dependency::Kind::whole});
    }
    op.dependency_count = static_cast<std::uint32_t>(result.dependencies.size()) - op.first_dependency;
    previous = &step;
  }
  return result;
}

}  // namespace

std::string check_issue_order(const AllRanks& all, std::span<const Partition> partitions, int window) {
  std::vector<Schedule> ranks;
  bool any_flat = false;
  for (Rank rank = 0; rank < all.size(); ++rank) {
    const Schedule& schedule = all.schedule(rank);
    const Items items(schedule, partitions[rank]);
    const bool flat = is_flat(schedule, items);
    any_flat = any_flat || flat;
    ranks.push_back(flat ? with_flat_order(schedule, items) : schedule);
  }
  if (!any_flat) return {};
  const AllRanks strict(all.problem(), ranks);
  Expressions expressions(all.size());
  std::string wrong = SymbolicRun(strict, partitions, {.window = window}, expressions).run();
  return wrong.empty() ? wrong : "issued in the order of the operations' numbers: " + wrong;
}

}  // namespace espalier::proof
