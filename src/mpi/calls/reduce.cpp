// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/large_counts.hpp"

namespace espalier {

extern const Contract reduce_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  return mpi.Reduce(call.input, call.output, static_cast<int>(call.sent.count), call.sent.type, call.op, call.root,
                    call.comm);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Reduce_c != nullptr)
    return mpi.Reduce_c(call.input, call.output, call.sent.count, call.sent.type, call.op, call.root, call.comm);
  return reduce_in_parts(mpi, call, native);
}

constexpr Function reduce{.name = "MPI_Reduce", .contract = reduce_contract, .native = native};
constexpr Function reduce_c{
    .name = "MPI_Reduce_c", .contract = reduce_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Reduce(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  return intercept({.function = &function,
                    .input = input,
                    .output = output,
                    .sent = {count, type},
                    .op = op,
                    .root = root,
                    .comm = comm},
                   __builtin_return_address(0));
}

const Entries entries({
    entry(reduce.name, entry_Reduce<reduce, int>),
    entry(reduce_c.name, entry_Reduce<reduce_c, MPI_Count>),
});

}  // namespace

}  // namespace espalier
