// SPDX-License-Identifier: Apache-2.0
// Collectives of the start of a job. From the fifth one of a communicator on, MPICH's blocking ones keep the processor
// while they wait: where ranks share one, each then takes some turns of the system. Its nonblocking ones do not.
#pragma once

#include "native/native.hpp"

namespace espalier {

#if defined(OMPI_MAJOR_VERSION)
inline constexpr bool blocking_calls_yield = true;
#else
inline constexpr bool blocking_calls_yield = false;
#endif

// All return an MPI code, as the functions do that they stand for.
template <class... Arguments>
[[nodiscard]] int wait_for(const Native& mpi, int (*begin)(Arguments...), auto... arguments) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int status = begin(arguments..., &request);
  return status == MPI_SUCCESS ? mpi.Wait(&request, MPI_STATUS_IGNORE) : status;
}

[[nodiscard]] inline int yielding_allreduce(const Native& mpi, const void* mine, void* all, int count,
                                            MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (blocking_calls_yield || mpi.Iallreduce == nullptr) return mpi.Allreduce(mine, all, count, type, op, comm);
  return wait_for(mpi, mpi.Iallreduce, mine, all, count, type, op, comm);
}

[[nodiscard]] inline int yielding_bcast(const Native& mpi, void* data, int count, MPI_Datatype type, int root,
                                        MPI_Comm comm) {
  if (blocking_calls_yield || mpi.Ibcast == nullptr) return mpi.Bcast(data, count, type, root, comm);
  return wait_for(mpi, mpi.Ibcast, data, count, type, root, comm);
}

}  // namespace espalier
