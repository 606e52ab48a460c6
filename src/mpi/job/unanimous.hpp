// SPDX-License-Identifier: Apache-2.0
// Do all ranks say the same?
#pragma once

#include <cstdint>
#include <exception>

#include "mpi/job/yielding_calls.hpp"

namespace espalier {

struct Vote {
  bool is_unanimous = false;    // all gave the same value
  bool are_all_willing = true;  // also if the MPI failed
};
// Collective over `comm`: the same on all ranks.
[[nodiscard]] inline Vote vote(const Native& mpi, MPI_Comm comm, std::uint64_t value, bool is_willing) {
  const std::uint64_t mine[] = {value, ~value, is_willing ? 1U : 0U};
  std::uint64_t least[] = {0, 0, 0};
  if (yielding_allreduce(mpi, mine, least, 3, MPI_UINT64_T, MPI_MIN, comm) != MPI_SUCCESS) return {};
  return {least[0] == ~least[1], least[2] != 0};
}

// Collective over `comm`. True, on all ranks, if all gave the same value; false also if the MPI failed.
[[nodiscard]] inline bool is_unanimous(const Native& mpi, MPI_Comm comm, std::uint64_t value) {
  const std::uint64_t mine[] = {value, ~value};
  std::uint64_t least[] = {0, 0};
  if (yielding_allreduce(mpi, mine, least, 2, MPI_UINT64_T, MPI_MIN, comm) != MPI_SUCCESS) return false;
  return least[0] == ~least[1];
}

// Collective over `comm`. True, on all ranks, if all gave true.
[[nodiscard]] inline bool is_true_everywhere(const Native& mpi, MPI_Comm comm, bool value) {
  return is_unanimous(mpi, comm, value ? 1 : 0) && value;
}

// Collective over `comm`. Each rank does a part by itself; `work` returns an MPI code. Whatever keeps a rank from it is
// told to `complain`, and then the rank takes part in the agreement like all others: true, on all ranks, if it went
// well on all of them.
template <class Work, class Complain>
[[nodiscard]] bool succeeds_everywhere(const Native& mpi, MPI_Comm comm, Work work, Complain complain) {
  int status = MPI_ERR_OTHER;
  try {
    status = work();
    if (status != MPI_SUCCESS) complain("the MPI failed");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return is_true_everywhere(mpi, comm, status == MPI_SUCCESS);
}

}  // namespace espalier
