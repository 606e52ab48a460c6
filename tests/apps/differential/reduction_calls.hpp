// SPDX-License-Identifier: Apache-2.0
// The MPI functions that reduce, called alike.
#pragma once

#include <span>

#include "core/types.hpp"
#include "shared/mpi_functions.hpp"

namespace espalier::apps {

struct ReductionArguments {
  const void* input;
  void* output;
  int count;
  MPI_Datatype type;
  MPI_Op op;
  Rank root;  // counts for nothing where there is none
  MPI_Comm comm;
};

struct ReductionCall {
  const char* name;
  int (*make)(const MpiFunctions& mpi, const ReductionArguments& arguments);
};

// All that a collective has: that for large counts, too, if the MPI has it.
[[nodiscard]] std::span<const ReductionCall> reduction_calls(Collective collective);

}  // namespace espalier::apps
