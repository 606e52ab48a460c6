// SPDX-License-Identifier: Apache-2.0
// MPI_X_c over an MPI that has only MPI_X: programs that look for the large form find ours.
#pragma once

#include "mpi/call/call.hpp"

namespace espalier {

// Returns an MPI code, after the error handler has had its say. `small` hands on a call whose counts are ints. Counts
// that an int cannot hold are served by larger datatypes, or, in a blocking reduction element by element, in parts;
// where neither is possible, they are an error. Wrong arguments are the native function's to refuse, so it gets them as
// they are.
[[nodiscard]] int pass_by_small_counts(const Native& mpi, const Call& call,
                                       int (*small)(const Native& mpi, const Call& call));

// What is raised where the MPI has no such function at all.
[[nodiscard]] int raise_unsupported(const Native& mpi, const Call& call);

}  // namespace espalier
