// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/large_counts.hpp"
#include "mpi/requests/nonblocking.hpp"

namespace espalier {

extern const Contract barrier_contract;

namespace {

int native(const Native& mpi, const Call& call) { return mpi.Ibarrier(call.comm, call.request); }

constexpr Function ibarrier{.name = "MPI_Ibarrier", .contract = barrier_contract, .native = native};

int entry_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return start_nonblocking({.function = &ibarrier, .comm = comm, .request = request}, __builtin_return_address(0));
}

const Entries entries({entry(ibarrier.name, entry_Ibarrier)});

}  // namespace

}  // namespace espalier
