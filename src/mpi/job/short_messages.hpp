// SPDX-License-Identifier: Apache-2.0
// Which messages gain nothing by several NICs.
#pragma once

#include <algorithm>

#include "mpi/job/job.hpp"

namespace espalier {

// Exchanges whose longest message is shorter are better left to the MPI: the receiver's grant, which comes before a
// put, takes longer than what several NICs save. Equal on all ranks, as the machine is.
[[nodiscard]] inline std::size_t shortest_for_nics(const Job& job) {
  constexpr std::size_t least = 4096, most = std::size_t{64} << 10;
  constexpr double seconds_of_grant = 50e-6;  // over TCP; a guess
  if (!job.machine) return least;
  const auto meanwhile = static_cast<std::size_t>(job.machine->nic_bytes_per_second * seconds_of_grant);
  return std::clamp(meanwhile, least, most);
}

// The same of one message among others: an MPI that sends all by one NIC would keep that busy with the short ones while
// the long ones are shared out evenly.
[[nodiscard]] inline std::size_t shortest_among_others(const Job& job) {
  constexpr std::size_t parts = 4;
  const std::size_t alone = shortest_for_nics(job);
  return job.nic_use == NicUse::one ? alone / parts + 1 : alone;
}

}  // namespace espalier
