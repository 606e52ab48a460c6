// SPDX-License-Identifier: Apache-2.0
// MPI_X_c for an MPI that has only MPI_X.
//
// libespalier.so exports the large-count functions whatever the MPI below has, and some programs take a function's
// presence for a promise (mpi4py refers to them weakly and prefers them). So each works over every MPI.
#pragma once

#include <cstddef>

namespace espalier {

// For a large form of functions.inc: calls MPI_X, as its caller would, with the counts and displacements as they are,
// or, where one is more than an int holds, with -1 for a count, so that the MPI raises its own error for a bad count as
// it does. Null for other functions.
[[nodiscard]] void* large_count_fallback(std::size_t function);

}  // namespace espalier
