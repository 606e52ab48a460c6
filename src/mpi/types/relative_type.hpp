// SPDX-License-Identifier: Apache-2.0
// Data at absolute addresses, as data of a buffer.
#pragma once

#include "mpi/types/type_facts.hpp"
#include "native/native.hpp"

namespace espalier {

// The same elements from their first byte on (facts.true_lower_bound, as an address), in place of from MPI_BOTTOM. To
// be freed, unless it is null. Returns an MPI code.
[[nodiscard]] int make_relative(const Native& mpi, MPI_Datatype type, const TypeFacts& facts, MPI_Datatype& relative);

}  // namespace espalier
