// SPDX-License-Identifier: Apache-2.0
#include "mpi/entries.hpp"
#include "mpi/intercept.hpp"

namespace espalier {

int entry_Barrier(MPI_Comm comm) {
  return intercept({.collective = Collective::barrier, .comm = comm}, __builtin_return_address(0));
}

}  // namespace espalier
