// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/large_counts.hpp"
#include "mpi/requests/nonblocking.hpp"

namespace espalier {

extern const Contract allreduce_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  return mpi.Iallreduce(call.input, call.output, static_cast<int>(call.sent.count), call.sent.type, call.op, call.comm,
                        call.request);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Iallreduce_c != nullptr)
    return mpi.Iallreduce_c(call.input, call.output, call.sent.count, call.sent.type, call.op, call.comm, call.request);
  return call_narrowed(mpi, call, native);
}

constexpr Function iallreduce{.name = "MPI_Iallreduce", .contract = allreduce_contract, .native = native};
constexpr Function iallreduce_c{
    .name = "MPI_Iallreduce_c", .contract = allreduce_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Iallreduce(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                     MPI_Request* request) {
  return start_nonblocking({.function = &function,
                            .input = input,
                            .output = output,
                            .sent = {count, type},
                            .op = op,
                            .comm = comm,
                            .request = request},
                           __builtin_return_address(0));
}

const Entries entries({entry(iallreduce.name, entry_Iallreduce<iallreduce, int>),
                       entry(iallreduce_c.name, entry_Iallreduce<iallreduce_c, MPI_Count>)});

}  // namespace

}  // namespace espalier
