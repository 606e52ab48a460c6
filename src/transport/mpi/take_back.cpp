// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/take_back.hpp"

namespace espalier {

namespace {

// How often it is asked whether it is over.
constexpr int max_tries = 1000;

}  // namespace

bool take_back(const Native& mpi, MPI_Request& request) {
  if (request == MPI_REQUEST_NULL) return true;
  mpi.Cancel(&request);
  int done = 0;
  for (int tries = 0; tries < max_tries && done == 0; ++tries) {
    if (mpi.Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
  }
  if (request == MPI_REQUEST_NULL) return true;
  mpi.Request_free(&request);
  return false;
}

}  // namespace espalier
