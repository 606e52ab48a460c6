// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/leftovers.hpp"

#include <array>
#include <cstddef>

namespace espalier {

namespace {

// What every MPI sends at once. Of longer messages the receiver may fetch the data only now, from memory that the call
// has long given back: Open MPI cannot cancel a send.
constexpr int max_bytes_under_way = 1024;

}  // namespace

bool discard_leftovers(const Native& mpi, MPI_Comm traffic, int source, int tag) {
  for (;;) {
    int there = 0;
    int bytes = 0;
    MPI_Status status;
    if (mpi.Iprobe(source, tag, traffic, &there, &status) != MPI_SUCCESS || there == 0) return true;
    mpi.Get_count(&status, MPI_BYTE, &bytes);
    if (bytes < 0 || bytes > max_bytes_under_way) return false;
    std::array<std::byte, max_bytes_under_way> leftover;
    const int received = mpi.Recv(leftover.data(), bytes, MPI_BYTE, source, status.MPI_TAG, traffic, MPI_STATUS_IGNORE);
    if (received != MPI_SUCCESS) return false;
  }
}

}  // namespace espalier
