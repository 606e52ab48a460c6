// SPDX-License-Identifier: Apache-2.0
// Attributes of ours on the application's objects.
#pragma once

#include <mpi.h>

namespace espalier {

// The callback of a keyval: a duplicate of the object, a communicator or a datatype, begins without the attribute.
template <class Handle>
int no_copy(Handle, int, void*, void*, void*, int* copied) {
  *copied = 0;
  return MPI_SUCCESS;
}

}  // namespace espalier
