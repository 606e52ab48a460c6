// SPDX-License-Identifier: Apache-2.0
// Persistent neighbourhood collectives: MPI_Neighbor_allgather_init and the like. (Paper 3; MPI standard 4.1, section
// 8.8.)
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// `caller`: where the call returns to. Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int init_persistent_exchange(const Call& call, const void* caller);

}  // namespace espalier
