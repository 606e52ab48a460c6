// SPDX-License-Identifier: Apache-2.0
// Persistent collectives. Unlike nonblocking ones they may agree on tags when they are initialised.
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// `caller`: where the call returns to. Returns an MPI code, after the error handler has had its say.
[[nodiscard]] int init_persistent(const Call& call, const void* caller);

}  // namespace espalier
