// SPDX-License-Identifier: Apache-2.0
#include "engine/flat_program.hpp"

namespace espalier {

namespace {

// What item 0 asks of an operation with a single item. A lag asks nothing then, whatever the window.
bool needs(const Schedule& schedule, const Dependency& dependency) {
  const int items = schedule.operations[dependency.operation].items(1);
  return needed(dependency, 0, 1, 1, items) > 0;
}

}  // namespace

bool is_flat(const Schedule& schedule, int segments) {
  for (std::size_t k = 0; k < schedule.operations.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    if (operation.items(segments) > 1) return false;
    if (operation.items(segments) == 0) continue;
    for (const Dependency& dependency : schedule.dependencies_of(operation)) {
      if (dependency.operation >= k && needs(schedule, dependency)) return false;
    }
  }
  return true;
}

FlatProgram flat_order(const Schedule& schedule) {
  FlatProgram program;
  const auto count = static_cast<std::uint32_t>(schedule.operations.size());
  std::vector<char> under_way(count);
  const auto wait_for = [&](std::uint32_t operation) {
    if (under_way[operation] != 0) program.waits.push_back(operation);
    under_way[operation] = 0;
  };
  for (std::uint32_t k = 0; k < count; ++k) {
    const Operation& operation = schedule.operations[k];
    if (operation.items(1) == 0) continue;
    const auto first = static_cast<std::uint32_t>(program.waits.size());
    for (const Dependency& dependency : schedule.dependencies_of(operation)) {
      if (!dependency.is_of_posting() && needs(schedule, dependency)) wait_for(dependency.operation);
    }
    program.steps.push_back({k, first, static_cast<std::uint32_t>(program.waits.size()) - first});
    under_way[k] = operation.communicates() ? 1 : 0;
  }
  program.last_wait = static_cast<std::uint32_t>(program.waits.size());
  for (std::uint32_t k = 0; k < count; ++k) wait_for(k);
  return program;
}

}  // namespace espalier
