// SPDX-License-Identifier: Apache-2.0
// How a broadcast message may lie in memory: the signatures of all ranks are equal, the types need not be.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace espalier::apps {

// What one rank passes to MPI_Bcast.
struct Side {
  MPI_Datatype type;
  int count;
};

struct Layout {
  std::string name;
  // All ranks pass the same type and count. Where they do not, Open MPI 5 deadlocks on messages of several segments,
  // and MPICH 5 on empty ones.
  bool uniform;
  // For a message of so many units. `place` is the rank's distance from the root: 0 for the root itself.
  Side (*side)(int units, int place);
};

[[nodiscard]] const std::vector<Layout>& layouts();

}  // namespace espalier::apps
