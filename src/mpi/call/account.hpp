// SPDX-License-Identifier: Apache-2.0
// Where a timed call is added up besides its row.
#pragma once

#include "mpi/call/call.hpp"
#include "mpi/job/job.hpp"

namespace espalier {

// Nowhere, if no call is timed for a report. From any thread; allocates nothing and takes no lock, but for the first
// call from a place behind a language binding.
[[nodiscard]] CallAccount account_of(const Job& job, const Call& call) noexcept;

}  // namespace espalier
