// SPDX-License-Identifier: Apache-2.0
// Nonblocking collectives. On communicators whose ranks have not agreed on tags yet (which takes a blocking call) they
// are the native MPI's.
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// `caller`: where the call returns to. Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int start_nonblocking(const Call& call, const void* caller);

}  // namespace espalier
