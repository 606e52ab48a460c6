// SPDX-License-Identifier: Apache-2.0
#include "mpi/forward.hpp"

#include <algorithm>
#include <climits>

#include "transport/mpi/large_type.hpp"

namespace espalier {

namespace {

int forward_small(const Native& mpi, Call call, MPI_Count count) {
  call.large = false;
  call.count = count;
  return forward(mpi, call);
}

const void* advanced(const void* buffer, MPI_Aint bytes) {
  const bool no_memory = buffer == nullptr || buffer == MPI_IN_PLACE;
  return no_memory ? buffer : static_cast<const std::byte*>(buffer) + bytes;
}

// A reduction works element by element, so one of many elements is several of fewer.
int reduce_in_parts(const Native& mpi, const Call& call) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  if (const int status = mpi.Type_get_extent(call.type, &lower_bound, &extent); status != MPI_SUCCESS) return status;
  for (MPI_Count done = 0; done < call.count;) {
    const MPI_Count count = std::min<MPI_Count>(INT_MAX, call.count - done);
    Call part = call;
    part.input = advanced(call.input, done * extent);
    part.output = const_cast<void*>(advanced(call.output, done * extent));
    if (const int status = forward_small(mpi, part, count); status != MPI_SUCCESS) return status;
    done += count;
  }
  return MPI_SUCCESS;
}

int broadcast_as_one_element(const Native& mpi, const Call& call) {
  const LargeType large(mpi, call.count, call.type);
  if (large.status() != MPI_SUCCESS) return large.status();
  return mpi.Bcast(call.output, 1, large.get(), call.root, call.comm);
}

}  // namespace

int forward_large(const Native& mpi, Call call) {
  switch (call.collective) {
    case Collective::bcast:
      if (mpi.Bcast_c != nullptr) return mpi.Bcast_c(call.output, call.count, call.type, call.root, call.comm);
      break;
    case Collective::reduce:
      if (mpi.Reduce_c == nullptr) break;
      return mpi.Reduce_c(call.input, call.output, call.count, call.type, call.op, call.root, call.comm);
    case Collective::allreduce:
      if (mpi.Allreduce_c == nullptr) break;
      return mpi.Allreduce_c(call.input, call.output, call.count, call.type, call.op, call.comm);
    default: break;
  }
  const bool wrong = call.type == MPI_DATATYPE_NULL || call.comm == MPI_COMM_NULL;
  if (wrong || call.count <= INT_MAX) return forward_small(mpi, call, std::clamp<MPI_Count>(call.count, -1, INT_MAX));
  return call.collective == Collective::bcast ? broadcast_as_one_element(mpi, call) : reduce_in_parts(mpi, call);
}

}  // namespace espalier
