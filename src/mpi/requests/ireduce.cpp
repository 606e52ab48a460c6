// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/large_counts.hpp"
#include "mpi/requests/nonblocking.hpp"

namespace espalier {

extern const Contract reduce_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  return mpi.Ireduce(call.input, call.output, static_cast<int>(call.sent.count), call.sent.type, call.op, call.root,
                     call.comm, call.request);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Ireduce_c != nullptr)
    return mpi.Ireduce_c(call.input, call.output, call.sent.count, call.sent.type, call.op, call.root, call.comm,
                         call.request);
  return call_narrowed(mpi, call, native);
}

constexpr Function ireduce{.name = "MPI_Ireduce", .contract = reduce_contract, .native = native};
constexpr Function ireduce_c{
    .name = "MPI_Ireduce_c", .contract = reduce_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Ireduce(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
                  MPI_Request* request) {
  return start_nonblocking({.function = &function,
                            .input = input,
                            .output = output,
                            .sent = {count, type},
                            .op = op,
                            .root = root,
                            .comm = comm,
                            .request = request},
                           __builtin_return_address(0));
}

const Entries entries({entry(ireduce.name, entry_Ireduce<ireduce, int>),
                       entry(ireduce_c.name, entry_Ireduce<ireduce_c, MPI_Count>)});

}  // namespace

}  // namespace espalier
