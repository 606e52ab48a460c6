// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/large_counts.hpp"

namespace espalier {

extern const Contract reduce_scatter_block_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  return mpi.Reduce_scatter_block(call.input, call.output, static_cast<int>(call.sent.count), call.sent.type, call.op,
                                  call.comm);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Reduce_scatter_block_c != nullptr)
    return mpi.Reduce_scatter_block_c(call.input, call.output, call.sent.count, call.sent.type, call.op, call.comm);
  return call_narrowed(mpi, call, native);
}

constexpr Function reduce_scatter_block{
    .name = "MPI_Reduce_scatter_block", .contract = reduce_scatter_block_contract, .native = native};
constexpr Function reduce_scatter_block_c{.name = "MPI_Reduce_scatter_block_c",
                                          .contract = reduce_scatter_block_contract,
                                          .is_large = true,
                                          .native = native_large};

template <const Function& function, class Count>
int entry_Reduce_scatter_block(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op,
                               MPI_Comm comm) {
  return intercept(
      {.function = &function, .input = input, .output = output, .sent = {count, type}, .op = op, .comm = comm},
      __builtin_return_address(0));
}

const Entries entries({
    entry(reduce_scatter_block.name, entry_Reduce_scatter_block<reduce_scatter_block, int>),
    entry(reduce_scatter_block_c.name, entry_Reduce_scatter_block<reduce_scatter_block_c, MPI_Count>),
});

}  // namespace

}  // namespace espalier
