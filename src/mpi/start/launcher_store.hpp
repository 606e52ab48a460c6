// SPDX-License-Identifier: Apache-2.0
// The launcher's key-value store, in which each rank under Espalier leaves a word before the MPI of the job has
// started. Each rank can then look who did, without a message. Launchers offer it by PMIx (Open MPI's, Slurm's) or by
// PMI-1 (MPICH's Hydra).
#pragma once

#include <cstdint>

#include "native/native.hpp"

namespace espalier {

enum class Search : std::uint8_t {
  everywhere,  // may ask the launcher on another node, and take seconds for what is not there
  nearby,      // only where an answer is at once
};

// Whether that rank of this process's MPI_COMM_WORLD left its word.
using LauncherStore = bool (*)(int rank, Search search);

// Before the MPI starts. With PMIx, libespalier.so does it meanwhile (preload/pmix.cpp).
void leave_word_by_pmi1(const Native& mpi);

// After it. Null if this process has no such store.
[[nodiscard]] LauncherStore pmi1_store();
[[nodiscard]] LauncherStore pmix_store(void* mpi_library);

}  // namespace espalier
