// SPDX-License-Identifier: Apache-2.0
// Nonblocking neighbourhood collectives: MPI_Ineighbor_alltoall and the like. On communicators whose ranks have not met
// yet (meeting.hpp), which takes another call of theirs, they are the native MPI's.
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// `caller`: where the call returns to. Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int start_exchange(const Call& call, const void* caller);

}  // namespace espalier
