// SPDX-License-Identifier: Apache-2.0
// How the ranks of a communicator arrive at the same numbers in the middle of a call: by messages of the call itself.
// So a rank that refuses the call, or fails in it, ends the sharing on the others as it would end the call.
#pragma once

#include <span>

#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

// Collective over a communicator that has joined, with equally many numbers on all ranks; each becomes the sum of all
// ranks', with the same bits everywhere. Returns what ran: look there how it ended. Throws on allocation failure.
struct Shared {
  Prepared& run;
  int status;  // an MPI code
};
[[nodiscard]] Shared share_sums(PreparedCommunicator& communicator, std::span<double> numbers);
// The same; each becomes the root's. `route`: a broadcast of ours.
[[nodiscard]] Shared share_from_root(PreparedCommunicator& communicator, std::span<double> numbers, Rank root,
                                     const Choice& route);

}  // namespace espalier
