// SPDX-License-Identifier: Apache-2.0
// What becomes of ranks that come to an agreement from different calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "mpi/job/job.hpp"

namespace espalier {

// Why a rank comes to an agreement.
struct Occasion {
  std::string_view purpose;     // "new tags"
  std::string_view collective;  // of the call; "": it is no collective call of the application's
  std::uint64_t call = 0;       // its number on the communicator
  // Equal on ranks that are in step.
  [[nodiscard]] std::uint64_t hash() const;
};

// Says where the ranks are, and hands the error to the communicator's error handler. Returns its code. `all_are_here`,
// at some agreement: collective, natively. Otherwise some met this rank from a call of the application's.
[[nodiscard]] int raise_out_of_step(const Job& job, MPI_Comm comm, const Occasion& mine, bool all_are_here);

// Its name, and how many ranks it has.
[[nodiscard]] std::string text_of_communicator(const Native& mpi, MPI_Comm comm);

}  // namespace espalier
