// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/intercept.hpp"

namespace espalier {

extern const Contract barrier_contract;

namespace {

int native(const Native& mpi, const Call& call) { return mpi.Barrier(call.comm); }

constexpr Function barrier{.name = "MPI_Barrier", .contract = barrier_contract, .native = native};

int entry_Barrier(MPI_Comm comm) {
  return intercept({.function = &barrier, .comm = comm}, __builtin_return_address(0));
}

const Entries entries({
    entry(barrier.name, entry_Barrier),
});

}  // namespace

}  // namespace espalier
