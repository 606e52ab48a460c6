// SPDX-License-Identifier: Apache-2.0
#include "engine/flat_program.hpp"

namespace espalier {

namespace {

// Whether the only item of `op` asks anything. A lag asks nothing then, whatever the window.
bool needs(const Items& items, const Dependency& dependency, std::uint32_t op) {
  return items.needed(dependency, op, 0, 1) > 0;
}

}  // namespace

bool is_flat(const Schedule& schedule, const Items& items) {
  for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
    if (items.count(k) > 1) return false;
    if (items.count(k) == 0) continue;
    for (const Dependency& dependency : schedule.dependencies_of(schedule.operations[k])) {
      if (dependency.operation >= k && needs(items, dependency, k)) return false;
    }
  }
  return true;
}

FlatProgram flat_order(const Schedule& schedule, const Items& items) {
  FlatProgram program;
  const auto count = static_cast<std::uint32_t>(schedule.operations.size());
  std::vector<char> under_way(count);
  const auto wait_for = [&](std::uint32_t operation) {
    if (under_way[operation] != 0) program.waits.push_back(operation);
    under_way[operation] = 0;
  };
  for (std::uint32_t k = 0; k < count; ++k) {
    const Operation& operation = schedule.operations[k];
    if (items.count(k) == 0) continue;
    const auto first = static_cast<std::uint32_t>(program.waits.size());
    for (const Dependency& dependency : schedule.dependencies_of(operation)) {
      if (!dependency.is_of_posting() && needs(items, dependency, k)) wait_for(dependency.operation);
    }
    program.steps.push_back({k, first, static_cast<std::uint32_t>(program.waits.size()) - first});
    under_way[k] = operation.communicates() ? 1 : 0;
  }
  program.last_wait = static_cast<std::uint32_t>(program.waits.size());
  for (std::uint32_t k = 0; k < count; ++k) wait_for(k);
  return program;
}

}  // namespace espalier
