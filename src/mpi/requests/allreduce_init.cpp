// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/large_counts.hpp"
#include "mpi/requests/persistent.hpp"

namespace espalier {

extern const Contract allreduce_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  if (mpi.Allreduce_init == nullptr) return raise_unsupported(mpi, call);
  return mpi.Allreduce_init(call.input, call.output, static_cast<int>(call.sent.count), call.sent.type, call.op,
                            call.comm, call.info, call.request);
}

int native_large(const Native& mpi, const Call& call) {
  if (mpi.Allreduce_init_c == nullptr) return call_narrowed(mpi, call, native);
  return mpi.Allreduce_init_c(call.input, call.output, call.sent.count, call.sent.type, call.op, call.comm, call.info,
                              call.request);
}

constexpr Function allreduce_init{.name = "MPI_Allreduce_init", .contract = allreduce_contract, .native = native};
constexpr Function allreduce_init_c{
    .name = "MPI_Allreduce_init_c", .contract = allreduce_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Allreduce_init(const void* input, void* output, Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                         MPI_Info info, MPI_Request* request) {
  return init_persistent({.function = &function,
                          .input = input,
                          .output = output,
                          .sent = {count, type},
                          .op = op,
                          .comm = comm,
                          .info = info,
                          .request = request},
                         __builtin_return_address(0));
}

const Entries entries({entry(allreduce_init.name, entry_Allreduce_init<allreduce_init, int>),
                       entry(allreduce_init_c.name, entry_Allreduce_init<allreduce_init_c, MPI_Count>)});

}  // namespace

}  // namespace espalier
