// SPDX-License-Identifier: Apache-2.0
// Ends messages for which nobody waits any more.
#pragma once

#include "native/native.hpp"

namespace espalier {

// A receive that no message has met yet is over at once. One that has met its message ends with it, and the buffer has
// to stay for so long: this waits a little. Null afterwards. False: the MPI may still use the buffer.
bool take_back(const Native& mpi, MPI_Request& request);

}  // namespace espalier
