// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/large_counts.hpp"

namespace espalier {

extern const Contract alltoall_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  return mpi.Alltoall(call.input, static_cast<int>(from.count), from.type, call.output, static_cast<int>(to.count),
                      to.type, call.comm);
}

int native_large(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  if (mpi.Alltoall_c != nullptr) {
    return mpi.Alltoall_c(call.input, from.count, from.type, call.output, to.count, to.type, call.comm);
  }
  const Countable sent = countable(mpi, call.input == MPI_IN_PLACE ? CallBlocks{0, MPI_BYTE} : from, call.comm);
  const Countable received = countable(mpi, to, call.comm);
  if (sent.status() != MPI_SUCCESS) return sent.status();
  if (received.status() != MPI_SUCCESS) return received.status();
  return mpi.Alltoall(call.input, sent.count(), sent.type(), call.output, received.count(), received.type(), call.comm);
}

int native_v(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  return mpi.Alltoallv(call.input, static_cast<const int*>(from.counts), static_cast<const int*>(from.displacements),
                       from.type, call.output, static_cast<const int*>(to.counts),
                       static_cast<const int*>(to.displacements), to.type, call.comm);
}

int native_v_large(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  if (mpi.Alltoallv_c != nullptr) {
    return mpi.Alltoallv_c(call.input, static_cast<const MPI_Count*>(from.counts),
                           static_cast<const MPI_Aint*>(from.displacements), from.type, call.output,
                           static_cast<const MPI_Count*>(to.counts), static_cast<const MPI_Aint*>(to.displacements),
                           to.type, call.comm);
  }
  const int size = ranks_addressed(mpi, call.comm);
  const Narrowed input(call.input == MPI_IN_PLACE ? CallBlocks{} : from, size);
  const Narrowed output(to, size);
  if (!(input.fits && output.fits)) return raise_too_large(mpi, call);
  return mpi.Alltoallv(call.input, input.counts.data(), input.displacements.data(), from.type, call.output,
                       output.counts.data(), output.displacements.data(), to.type, call.comm);
}

constexpr Function alltoall{
    .name = "MPI_Alltoall", .contract = alltoall_contract, .names_data_twice = true, .native = native};
constexpr Function alltoall_c{.name = "MPI_Alltoall_c",
                              .contract = alltoall_contract,
                              .is_large = true,
                              .names_data_twice = true,
                              .native = native_large};
constexpr Function alltoallv{.name = "MPI_Alltoallv",
                             .contract = alltoall_contract,
                             .is_uneven = true,
                             .names_data_twice = true,
                             .native = native_v};
constexpr Function alltoallv_c{.name = "MPI_Alltoallv_c",
                               .contract = alltoall_contract,
                               .is_large = true,
                               .is_uneven = true,
                               .names_data_twice = true,
                               .native = native_v_large};

template <const Function& function, class Count>
int entry_Alltoall(const void* input, Count input_count, MPI_Datatype input_type, void* output, Count output_count,
                   MPI_Datatype output_type, MPI_Comm comm) {
  return intercept({.function = &function,
                    .input = input,
                    .output = output,
                    .sent = {input_count, input_type},
                    .received = {output_count, output_type},
                    .comm = comm},
                   __builtin_return_address(0));
}

template <const Function& function, class Count, class Displacement>
int entry_Alltoallv(const void* input, const Count input_counts[], const Displacement input_displacements[],
                    MPI_Datatype input_type, void* output, const Count output_counts[],
                    const Displacement output_displacements[], MPI_Datatype output_type, MPI_Comm comm) {
  return intercept({.function = &function,
                    .input = input,
                    .output = output,
                    .sent = {.type = input_type, .counts = input_counts, .displacements = input_displacements},
                    .received = {.type = output_type, .counts = output_counts, .displacements = output_displacements},
                    .comm = comm},
                   __builtin_return_address(0));
}

const Entries entries({
    entry(alltoall.name, entry_Alltoall<alltoall, int>),
    entry(alltoall_c.name, entry_Alltoall<alltoall_c, MPI_Count>),
    entry(alltoallv.name, entry_Alltoallv<alltoallv, int, int>),
    entry(alltoallv_c.name, entry_Alltoallv<alltoallv_c, MPI_Count, MPI_Aint>),
});

}  // namespace

}  // namespace espalier
