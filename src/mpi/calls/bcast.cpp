// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/entries.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/calls/large_counts.hpp"

namespace espalier {

extern const Contract bcast_contract;

namespace {

int native(const Native& mpi, const Call& call) {
  return mpi.Bcast(call.output, static_cast<int>(call.sent.count), call.sent.type, call.root, call.comm);
}

int native_large(const Native& mpi, const Call& call) {
  const auto& [count, type, counts, displacements] = call.sent;
  if (mpi.Bcast_c != nullptr) return mpi.Bcast_c(call.output, count, type, call.root, call.comm);
  const Countable data = countable(mpi, call.sent, call.comm);
  if (data.status() != MPI_SUCCESS) return data.status();
  return mpi.Bcast(call.output, data.count(), data.type(), call.root, call.comm);
}

constexpr Function bcast{.name = "MPI_Bcast", .contract = bcast_contract, .native = native};
constexpr Function bcast_c{.name = "MPI_Bcast_c", .contract = bcast_contract, .is_large = true, .native = native_large};

template <const Function& function, class Count>
int entry_Bcast(void* buffer, Count count, MPI_Datatype type, int root, MPI_Comm comm) {
  return intercept({.function = &function, .output = buffer, .sent = {count, type}, .root = root, .comm = comm},
                   __builtin_return_address(0));
}

const Entries entries({
    entry(bcast.name, entry_Bcast<bcast, int>),
    entry(bcast_c.name, entry_Bcast<bcast_c, MPI_Count>),
});

}  // namespace

}  // namespace espalier
