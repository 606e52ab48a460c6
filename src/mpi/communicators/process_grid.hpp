// SPDX-License-Identifier: Apache-2.0
// On which grid the ranks of a communicator lie.
#pragma once

#include "halo/process_grid.hpp"
#include "native/native.hpp"

namespace espalier {

// As MPI_Topo_test has it; MPI_UNDEFINED also where the MPI raises an error. Local.
[[nodiscard]] int topology_of(const Native& mpi, MPI_Comm comm);

// That of its Cartesian topology. Of one that was made from `parent` (or MPI_COMM_NULL), as a graph is, that of the
// parent, if both have the same ranks in the same order. Otherwise it is unknown, also where the MPI raises an error.
// Local. Throws on allocation failure.
[[nodiscard]] halo::ProcessGrid find_process_grid(const Native& mpi, MPI_Comm comm, MPI_Comm parent);

}  // namespace espalier
