// SPDX-License-Identifier: Apache-2.0
// Who touched which blocks of a buffer last: read-after-write, write-after-read and write-after-write dependencies
// all come from here.
#pragma once

#include <vector>

#include "schedule/schedule.hpp"

namespace espalier {

// The dependencies of each operation, while a schedule is being assembled. Keeps the stronger of two on one operation.
class DependencyTable {
 public:
  void add_operation() { table_.emplace_back(); }
  void add(std::uint32_t later, Dependency dependency);
  // Hands the dependencies over to the schedule's operations.
  void store_in(Schedule& schedule) const;

 private:
  std::vector<std::vector<Dependency>> table_;
};

// The accesses to one buffer or scratch area that a later access may still have to wait for.
class AccessLog {
 public:
  explicit AccessLog(bool is_ring) : is_ring_(is_ring) {}

  void read(std::uint32_t operation, const Operation& op, const Region& region, DependencyTable& dependencies);
  void write(std::uint32_t operation, const Operation& op, const Region& region, DependencyTable& dependencies);

  // The ring's value has gone: item i of its first writer waits until slot i % w was last used for item i - w.
  void close_ring(DependencyTable& dependencies) const;

 private:
  struct Access {
    std::uint32_t operation;
    bool merged;
    bool writes;
    Region region;
  };
  // Does the later access depend on `earlier`, and does it touch all that `earlier` touched?
  bool order(std::uint32_t later, const Operation& op, const Region& region, const Access& earlier,
             DependencyTable& dependencies) const;

  bool is_ring_;
  std::vector<Access> accesses_;
  std::size_t writes_ = 0;  // of these
  std::uint32_t first_writer_ = 0;
  bool written_ = false;
};

}  // namespace espalier
