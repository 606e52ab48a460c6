// SPDX-License-Identifier: Apache-2.0
// Messages of failed calls that nobody received.
#pragma once

#include "transport/mpi/native.hpp"

namespace espalier {

// Receives whatever has come with that tag (MPI_ANY_TAG: any), and forgets it.
void discard_leftovers(const Native& mpi, MPI_Comm traffic, int tag);

}  // namespace espalier
