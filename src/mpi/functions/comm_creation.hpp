// SPDX-License-Identifier: Apache-2.0
// What the ranks of a new communicator agree on at once.
#pragma once

#include <mpi.h>

#include <optional>

namespace espalier {

// Whether persistent messages can be paired in this job: on all ranks alike.
[[nodiscard]] bool pairs_are_wanted();

// A communicator that the application can use from now on, made from `parent` or from none (MPI_COMM_NULL). `made_as`:
// the topology that it was given then. Collective over it.
void get_to_know(MPI_Comm comm, MPI_Comm parent, std::optional<int> made_as = {});

}  // namespace espalier
