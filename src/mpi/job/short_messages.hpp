// SPDX-License-Identifier: Apache-2.0
// Which messages gain nothing by several NICs. Equal on all ranks, as the machine and the MPI are.
#pragma once

#include <algorithm>

#include "mpi/job/job.hpp"

namespace espalier {

// Exchanges that all ranks plan together are better left to the MPI if their longest message is shorter: the receiver's
// grant, which comes before a put, takes longer than what several NICs save. An MPI that uses all NICs itself leaves
// less to save.
[[nodiscard]] inline std::size_t shortest_for_nics(const Job& job) {
  const std::size_t least = job.nic_use == NicUse::all ? 8192 : 4096;  // measured, NICs of 20 Mbit
  constexpr std::size_t most = std::size_t{64} << 10;
  constexpr double seconds_of_grant = 50e-6;  // over TCP; a guess
  if (!job.machine) return least;
  const auto meanwhile = static_cast<std::size_t>(job.machine->nic_bytes_per_second * seconds_of_grant);
  return std::clamp(meanwhile, least, most);
}

// The same of one message among others: an MPI that sends all by one NIC would keep that busy with the short ones while
// the long ones are distributed evenly.
[[nodiscard]] inline std::size_t shortest_among_others(const Job& job) {
  const std::size_t alone = shortest_for_nics(job);
  return job.nic_use == NicUse::all ? alone / 2 : alone / 4 + 1;
}

// The same where each rank knows its own messages alone: whether enough others are long to fill the NICs is anybody's
// guess.
[[nodiscard]] inline std::size_t shortest_unplanned(const Job& job) {
  const std::size_t planned = shortest_for_nics(job);
  return job.nic_use == NicUse::all ? planned + planned / 4 : planned / 2 + 1;
}

}  // namespace espalier
