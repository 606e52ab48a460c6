// SPDX-License-Identifier: Apache-2.0
// Whom a call's blocks are for, by what the MPI says of its communicator.
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// For how many ranks there are blocks in each buffer, and whether what the call says of it means anything on this rank:
// in place, and where others are the root, it may be anything.
struct Addressed {
  int to = 0, from = 0;
  bool counts_sent = true, counts_received = true;
};

// Of a communicator that the MPI knows; local.
[[nodiscard]] Addressed ranks_addressed(const Native& mpi, const Call& call);

// What the report has as the bytes of a call that the MPI takes as right: those of the message, or of a block. Where
// blocks have sizes of their own, the mean of those that this rank knows.
[[nodiscard]] std::size_t given_bytes(const Native& mpi, const Call& call);

}  // namespace espalier
