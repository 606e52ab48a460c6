// SPDX-License-Identifier: Apache-2.0
// Hands a call to the native MPI, as it came.
#pragma once

#include "mpi/call.hpp"
#include "transport/mpi/native.hpp"

namespace espalier {

// MPI_X_c, also over an MPI that has only MPI_X.
[[nodiscard]] int forward_large(const Native& mpi, Call call);

// `collective` is known where this is compiled, so that only one of the calls remains.
[[nodiscard]] inline int forward(const Native& mpi, const Call& call) {
  if (call.large) [[unlikely]]
    return forward_large(mpi, call);
  const auto count = static_cast<int>(call.count);
  switch (call.collective) {
    case Collective::bcast: return mpi.Bcast(call.output, count, call.type, call.root, call.comm);
    case Collective::reduce:
      return mpi.Reduce(call.input, call.output, count, call.type, call.op, call.root, call.comm);
    case Collective::allreduce: return mpi.Allreduce(call.input, call.output, count, call.type, call.op, call.comm);
    case Collective::barrier: return mpi.Barrier(call.comm);
    default: break;
  }
  return MPI_ERR_INTERN;
}

}  // namespace espalier
