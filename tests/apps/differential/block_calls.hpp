// SPDX-License-Identifier: Apache-2.0
// The MPI functions that move blocks from ranks to ranks, called alike.
#pragma once

#include <span>

#include "core/types.hpp"
#include "differential/blocks.hpp"
#include "shared/mpi_functions.hpp"

namespace espalier::apps {

struct BlockArguments {
  const void* input;  // MPI_IN_PLACE: then `send` means nothing, and the MPI is given what no other call may name
  const Blocks& send;
  void* output;
  const Blocks& receive;
  MPI_Comm comm;
};

struct BlockCall {
  const char* name;
  bool uneven;  // blocks may have different sizes, and lie anywhere
  int (*make)(const MpiFunctions& mpi, const BlockArguments& arguments);
  bool needs_one_layout = false;  // natively, all ranks must receive with the same datatype, against the standard
};

// All that a collective has: those for large counts, too, if the MPI has them.
[[nodiscard]] std::span<const BlockCall> block_calls(Collective collective);

}  // namespace espalier::apps
