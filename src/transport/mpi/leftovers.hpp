// SPDX-License-Identifier: Apache-2.0
// Messages of failed calls that nobody received.
#pragma once

#include "native/native.hpp"

namespace espalier {

// Receives whatever has arrived from that rank with that tag (MPI_ANY_TAG: any), and forgets it; up to the first
// message whose sender may have to read its memory for it: then false. Never from any rank at once: MPICH 5.0 over UCX
// receives nothing from MPI_ANY_SOURCE.
bool discard_leftovers(const Native& mpi, MPI_Comm traffic, int source, int tag);

}  // namespace espalier
