// SPDX-License-Identifier: Apache-2.0
#include "schedule/hazards.hpp"

#include "schedule/walks.hpp"

namespace espalier {

namespace {

using Kind = Dependency::Kind;

// `a` and `b` are on the same operation; aligned ones merge to the later shift, a whole one includes them all.
bool merged_into(Dependency& a, const Dependency& b) {
  const bool one_is_whole = a.kind == Kind::whole || b.kind == Kind::whole;
  if (one_is_whole && a.kind != Kind::posted && b.kind != Kind::posted) {
    a.kind = Kind::whole;
    a.shift = 0;
    return true;
  }
  if (a.kind == Kind::whole && b.kind == Kind::posted) return true;
  if (a.kind != b.kind) return false;
  a.shift = std::max(a.shift, b.shift);
  return true;
}

}  // namespace

void DependencyTable::add(std::uint32_t later, Dependency dependency) {
  for (Dependency& present : table_[later]) {
    if (present.operation == dependency.operation && merged_into(present, dependency)) return;
  }
  table_[later].push_back(dependency);
}

void DependencyTable::store_in(Schedule& schedule) const {
  for (std::size_t i = 0; i < table_.size(); i++) {
    schedule.operations[i].first_dependency = static_cast<std::uint32_t>(schedule.dependencies.size());
    schedule.operations[i].dependency_count = static_cast<std::uint32_t>(table_[i].size());
    schedule.dependencies.insert(schedule.dependencies.end(), table_[i].begin(), table_[i].end());
  }
}

bool AccessLog::order(std::uint32_t later, const Operation& op, const Region& region, const Access& earlier,
                      DependencyTable& dependencies) const {
  if (is_ring_) {  // all users of a ring walk over the same blocks
    if (earlier.operation != later) dependencies.add(later, {earlier.operation, 0, Kind::aligned});
    return true;
  }
  const auto meeting = meet(region.place, region.blocks, earlier.region.place, earlier.region.blocks);
  if (!meeting) return false;
  if (earlier.operation != later) {
    const bool in_items = !op.merged && !earlier.merged;
    dependencies.add(later, {earlier.operation, in_items ? meeting->shift : 0, in_items ? Kind::aligned : Kind::whole});
  }
  return meeting->blocks == earlier.region.blocks;
}

void AccessLog::read(std::uint32_t operation, const Operation& op, const Region& region,
                     DependencyTable& dependencies) {
  for (std::size_t k = 0; writes_ > 0 && k < accesses_.size(); ++k) {
    const Access& earlier = accesses_[k];
    if (earlier.writes) order(operation, op, region, earlier, dependencies);
  }
  accesses_.push_back({operation, op.merged, false, region});
}

// What this write covers entirely need not be looked at again: a caller that waits for this write has waited for it
// too.
void AccessLog::write(std::uint32_t operation, const Operation& op, const Region& region,
                      DependencyTable& dependencies) {
  if (!written_) first_writer_ = operation;
  written_ = true;
  std::erase_if(accesses_, [&](const Access& earlier) {
    const bool is_covered = order(operation, op, region, earlier, dependencies);
    if (is_covered && earlier.writes) --writes_;
    return is_covered;
  });
  ++writes_;
  accesses_.push_back({operation, op.merged, true, region});
}

void AccessLog::close_ring(DependencyTable& dependencies) const {
  const bool has_readers = std::any_of(accesses_.begin(), accesses_.end(), [](const Access& a) { return !a.writes; });
  for (const Access& access : accesses_) {
    if (access.writes != has_readers) dependencies.add(first_writer_, {access.operation, 0, Kind::lagged});
  }
}

}  // namespace espalier
