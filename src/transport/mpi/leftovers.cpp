// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/leftovers.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace espalier {

void discard_leftovers(const Native& mpi, MPI_Comm traffic, int source, int tag) {
  for (;;) {
    int there = 0;
    int bytes = 0;
    MPI_Status status;
    if (mpi.Iprobe(source, tag, traffic, &there, &status) != MPI_SUCCESS || there == 0) return;
    mpi.Get_count(&status, MPI_BYTE, &bytes);
    std::vector<std::byte> leftover(std::max(bytes, 0));
    const int received =
        mpi.Recv(leftover.data(), std::max(bytes, 0), MPI_BYTE, source, status.MPI_TAG, traffic, MPI_STATUS_IGNORE);
    if (received != MPI_SUCCESS) return;
  }
}

}  // namespace espalier
