// SPDX-License-Identifier: Apache-2.0
// Blocking neighbourhood collectives: MPI_Neighbor_alltoall and the like. (MPI standard 4.1, section 8.6.)
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// `caller`: where the call returns to. Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int exchange_with_neighbours(const Call& call, const void* caller);

}  // namespace espalier
