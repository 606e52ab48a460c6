// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/large_counts.hpp"
#include "mpi/requests/persistent.hpp"

namespace espalier {

extern const Contract bcast_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  if (mpi.Bcast_init == nullptr) return raise_unsupported(mpi, call);
  return mpi.Bcast_init(call.output, static_cast<int>(call.sent.count), call.sent.type, call.root, call.comm, call.info,
                        call.request);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Bcast_init_c == nullptr) return call_narrowed(mpi, call, native);
  return mpi.Bcast_init_c(call.output, call.sent.count, call.sent.type, call.root, call.comm, call.info, call.request);
}

constexpr Function bcast_init{.name = "MPI_Bcast_init", .contract = bcast_contract, .native = native};
constexpr Function bcast_init_c{
    .name = "MPI_Bcast_init_c", .contract = bcast_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Bcast_init(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Info info,
                     MPI_Request* request) {
  return init_persistent({.function = &function,
                          .output = buffer,
                          .sent = {count, type},
                          .root = root,
                          .comm = comm,
                          .info = info,
                          .request = request},
                         __builtin_return_address(0));
}

const Entries entries({entry(bcast_init.name, entry_Bcast_init<bcast_init, int>),
                       entry(bcast_init_c.name, entry_Bcast_init<bcast_init_c, MPI_Count>)});

}  // namespace

}  // namespace espalier
