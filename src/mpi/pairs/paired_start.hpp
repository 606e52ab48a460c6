// SPDX-License-Identifier: Apache-2.0
// Starting paired requests together.
#pragma once

#include <span>

#include "mpi/pairs/paired_run.hpp"

namespace espalier {

// All of them, by starting each: `start_one` returns an MPI code. A set that is started again and again is distributed
// among NICs once, at its first start. Receives are started first, as the other end waits for them, and then sends as
// they were distributed. Returns an MPI code.
[[nodiscard]] int start_with_pairs(const Job& job, std::span<MPI_Request> handles, int (*start_one)(MPI_Request*));

}  // namespace espalier
