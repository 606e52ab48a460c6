// SPDX-License-Identifier: Apache-2.0
// How messages may lie in memory: the signatures of all ranks are equal, the types need not be.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace espalier::apps {

// What one rank passes to the MPI.
struct Side {
  MPI_Datatype type;
  int count;
};

// Of a message that is broadcast.
struct Layout {
  std::string name;
  // All ranks pass the same type and count. Where they do not, Open MPI 5 deadlocks on messages of several segments,
  // and MPICH 5 on empty ones.
  bool uniform;
  // For a message of so many units. `place` is the rank's distance from the root: 0 for the root itself.
  Side (*side)(int units, int place);
};

[[nodiscard]] const std::vector<Layout>& layouts();

// Of messages that are any number of units: each rank takes another way to lay out a unit.
struct BlockLayout {
  std::string name;
  std::vector<Side> units;

  [[nodiscard]] const Side& unit(int who) const { return units[static_cast<std::size_t>(who) % units.size()]; }
  [[nodiscard]] std::size_t unit_bytes() const;
  [[nodiscard]] bool is_uniform() const { return units.size() == 1; }
};

[[nodiscard]] const std::vector<BlockLayout>& block_layouts();

}  // namespace espalier::apps
