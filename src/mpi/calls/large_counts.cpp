// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/large_counts.hpp"

#include <algorithm>

namespace espalier {

namespace {

const void* advanced(const void* buffer, MPI_Aint bytes) {
  const bool no_memory = buffer == nullptr || buffer == MPI_IN_PLACE;
  return no_memory ? buffer : static_cast<const std::byte*>(buffer) + bytes;
}

}  // namespace

int reduce_in_parts(const Native& mpi, const Call& call, int (*native)(const Native&, const Call&)) {
  if (is_refused(call.sent, call.comm) || fits_int(call.sent.count)) return call_narrowed(mpi, call, native);
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  const MPI_Count all = call.sent.count;
  const int found = mpi.Type_get_extent(call.sent.type, &lower_bound, &extent);
  if (found != MPI_SUCCESS) return found;
  for (MPI_Count done = 0; done < all;) {
    Call part = call;
    part.sent.count = std::min<MPI_Count>(INT_MAX, all - done);
    part.input = advanced(call.input, done * extent);
    part.output = const_cast<void*>(advanced(call.output, done * extent));
    if (const int status = native(mpi, part); status != MPI_SUCCESS) return status;
    done += part.sent.count;
  }
  return MPI_SUCCESS;
}

int call_narrowed(const Native& mpi, const Call& call, int (*native)(const Native&, const Call&)) {
  if (!is_refused(call.sent, call.comm) && !fits_int(call.sent.count)) return raise_too_large(mpi, call);
  Call small = call;
  small.sent = refused(call.sent);
  return native(mpi, small);
}

int ranks_addressed(const Native& mpi, MPI_Comm comm) {
  int between_groups = 0;
  int size = 0;
  if (comm == MPI_COMM_NULL || mpi.Comm_test_inter(comm, &between_groups) != MPI_SUCCESS) return 0;
  (between_groups != 0 ? mpi.Comm_remote_size : mpi.Comm_size)(comm, &size);
  return size;
}

Narrowed::Narrowed(const CallBlocks& said, int places) {
  const auto* wide_counts = static_cast<const MPI_Count*>(said.counts);
  const auto* wide_displacements = static_cast<const MPI_Aint*>(said.displacements);
  if (wide_counts == nullptr || wide_displacements == nullptr) return;
  for (int place = 0; place < places; ++place) {
    fits = fits && fits_int(wide_counts[place]) && fits_int(wide_displacements[place]);
    counts.push_back(static_cast<int>(wide_counts[place]));
    displacements.push_back(static_cast<int>(wide_displacements[place]));
  }
}

int raise_too_large(const Native& mpi, const Call& call) {
  mpi.Comm_call_errhandler(call.comm, MPI_ERR_COUNT);
  return MPI_ERR_COUNT;
}

int raise_unsupported(const Native& mpi, const Call& call) {
  mpi.Comm_call_errhandler(call.comm, MPI_ERR_UNSUPPORTED_OPERATION);
  return MPI_ERR_UNSUPPORTED_OPERATION;
}

}  // namespace espalier
