// SPDX-License-Identifier: Apache-2.0
// Do all ranks say the same?
#pragma once

#include <cstdint>

#include "transport/mpi/native.hpp"

namespace espalier {

// Collective over `comm`. True, on all ranks, if all gave the same value; false also if the MPI failed.
[[nodiscard]] inline bool is_unanimous(const Native& mpi, MPI_Comm comm, std::uint64_t value) {
  const std::uint64_t mine[] = {value, ~value};
  std::uint64_t least[] = {0, 0};
  if (mpi.Allreduce(mine, least, 2, MPI_UINT64_T, MPI_MIN, comm) != MPI_SUCCESS) return false;
  return least[0] == ~least[1];
}

}  // namespace espalier
