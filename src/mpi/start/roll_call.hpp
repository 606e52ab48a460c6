// SPDX-License-Identifier: Apache-2.0
// Do all ranks of MPI_COMM_WORLD run under Espalier? One that does not (it was not preloaded, or ESPALIER=off there, or
// its backend was not found) goes straight on to the application's calls; whatever we send to it, or wait for from it,
// may meet those.
#pragma once

#include <cstdint>

#include "native/native.hpp"

namespace espalier {

enum class Attendance : std::uint8_t {
  all,   // from here on, native calls on MPI_COMM_WORLD meet ours on all ranks
  some,  // nothing more may be sent; this has been said
};

// Before the MPI starts in this process, be it for MPI_Init or for a session; later calls do nothing. What is put into
// the launcher's store before an MPI's first exchange of addresses is there for all ranks, or for none, once that is
// over.
void announce(const Native& mpi);

// After MPI_Init: all ranks that announced themselves come here, and get the same answer.
[[nodiscard]] Attendance call_roll(const Native& mpi, void* mpi_library, int me, int ranks) noexcept;

}  // namespace espalier
