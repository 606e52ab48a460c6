// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/large_counts.hpp"

namespace espalier {

extern const Contract allreduce_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  return mpi.Allreduce(call.input, call.output, static_cast<int>(call.sent.count), call.sent.type, call.op, call.comm);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Allreduce_c != nullptr)
    return mpi.Allreduce_c(call.input, call.output, call.sent.count, call.sent.type, call.op, call.comm);
  return reduce_in_parts(mpi, call, native);
}

constexpr Function allreduce{.name = "MPI_Allreduce", .contract = allreduce_contract, .native = native};
constexpr Function allreduce_c{
    .name = "MPI_Allreduce_c", .contract = allreduce_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Allreduce(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return intercept(
      {.function = &function, .input = input, .output = output, .sent = {count, type}, .op = op, .comm = comm},
      __builtin_return_address(0));
}

const Entries entries({
    entry(allreduce.name, entry_Allreduce<allreduce, int>),
    entry(allreduce_c.name, entry_Allreduce<allreduce_c, MPI_Count>),
});

}  // namespace

}  // namespace espalier
