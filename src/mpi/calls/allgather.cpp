// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/large_counts.hpp"

namespace espalier {

extern const Contract allgather_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  return mpi.Allgather(call.input, static_cast<int>(from.count), from.type, call.output, static_cast<int>(to.count),
                       to.type, call.comm);
}

int native_large(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  if (mpi.Allgather_c != nullptr) {
    return mpi.Allgather_c(call.input, from.count, from.type, call.output, to.count, to.type, call.comm);
  }
  const Countable sent = countable(mpi, call.input == MPI_IN_PLACE ? CallBlocks{0, MPI_BYTE} : from, call.comm);
  const Countable received = countable(mpi, to, call.comm);
  if (sent.status() != MPI_SUCCESS) return sent.status();
  if (received.status() != MPI_SUCCESS) return received.status();
  return mpi.Allgather(call.input, sent.count(), sent.type(), call.output, received.count(), received.type(),
                       call.comm);
}

int native_v(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  return mpi.Allgatherv(call.input, static_cast<int>(from.count), from.type, call.output,
                        static_cast<const int*>(to.counts), static_cast<const int*>(to.displacements), to.type,
                        call.comm);
}

int native_v_large(const Native& mpi, const Call& call) {
  const CallBlocks &from = call.sent, &to = call.received;
  if (mpi.Allgatherv_c != nullptr) {
    return mpi.Allgatherv_c(call.input, from.count, from.type, call.output, static_cast<const MPI_Count*>(to.counts),
                            static_cast<const MPI_Aint*>(to.displacements), to.type, call.comm);
  }
  const int size = ranks_addressed(mpi, call.comm);
  const Narrowed output(to, size);
  const bool input_fits = call.input == MPI_IN_PLACE || is_refused(from, call.comm) || fits_int(from.count);
  if (!(output.fits && input_fits)) return raise_too_large(mpi, call);
  return mpi.Allgatherv(call.input, static_cast<int>(refused(from).count), from.type, call.output, output.counts.data(),
                        output.displacements.data(), to.type, call.comm);
}

constexpr Function allgather{
    .name = "MPI_Allgather", .contract = allgather_contract, .names_data_twice = true, .native = native};
constexpr Function allgather_c{.name = "MPI_Allgather_c",
                               .contract = allgather_contract,
                               .is_large = true,
                               .names_data_twice = true,
                               .native = native_large};
constexpr Function allgatherv{.name = "MPI_Allgatherv",
                              .contract = allgather_contract,
                              .is_uneven = true,
                              .names_data_twice = true,
                              .native = native_v};
constexpr Function allgatherv_c{.name = "MPI_Allgatherv_c",
                                .contract = allgather_contract,
                                .is_large = true,
                                .is_uneven = true,
                                .names_data_twice = true,
                                .native = native_v_large};

template <const Function& function, class Count>
int entry_Allgather(const void* input, Count input_count, MPI_Datatype input_type, void* output, Count output_count,
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
int entry_Allgatherv(const void* input, Count input_count, MPI_Datatype input_type, void* output,
                     const Count output_counts[], const Displacement output_displacements[], MPI_Datatype output_type,
                     MPI_Comm comm) {
  return intercept({.function = &function,
                    .input = input,
                    .output = output,
                    .sent = {input_count, input_type},
                    .received = {.type = output_type, .counts = output_counts, .displacements = output_displacements},
                    .comm = comm},
                   __builtin_return_address(0));
}

const Entries entries({
    entry(allgather.name, entry_Allgather<allgather, int>),
    entry(allgather_c.name, entry_Allgather<allgather_c, MPI_Count>),
    entry(allgatherv.name, entry_Allgatherv<allgatherv, int, int>),
    entry(allgatherv_c.name, entry_Allgatherv<allgatherv_c, MPI_Count, MPI_Aint>),
});

}  // namespace

}  // namespace espalier
