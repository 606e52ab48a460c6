// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/large_counts.hpp"
#include "mpi/requests/nonblocking.hpp"

namespace espalier {

extern const Contract bcast_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  return mpi.Ibcast(call.output, static_cast<int>(call.sent.count), call.sent.type, call.root, call.comm, call.request);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Ibcast_c != nullptr)
    return mpi.Ibcast_c(call.output, call.sent.count, call.sent.type, call.root, call.comm, call.request);
  return call_narrowed(mpi, call, native);
}

constexpr Function ibcast{.name = "MPI_Ibcast", .contract = bcast_contract, .native = native};
constexpr Function ibcast_c{
    .name = "MPI_Ibcast_c", .contract = bcast_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Ibcast(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return start_nonblocking(
      {.function = &function, .output = buffer, .sent = {count, type}, .root = root, .comm = comm, .request = request},
      __builtin_return_address(0));
}

const Entries entries({entry(ibcast.name, entry_Ibcast<ibcast, int>),
                       entry(ibcast_c.name, entry_Ibcast<ibcast_c, MPI_Count>)});

}  // namespace

}  // namespace espalier
