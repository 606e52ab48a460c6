// SPDX-License-Identifier: Apache-2.0
#include "mpi/call/addressed.hpp"

namespace espalier {

namespace {

// In a topology of the MPI's a rank has neighbours that it sends to, and such that it receives from.
Addressed neighbours(const Native& mpi, MPI_Comm comm) {
  int kind = MPI_UNDEFINED, count = 0, rank = 0, weighted = 0;
  Addressed all;
  mpi.Topo_test(comm, &kind);
  if (kind == MPI_DIST_GRAPH) {
    mpi.Dist_graph_neighbors_count(comm, &all.from, &all.to, &weighted);
  } else if (kind == MPI_CART) {
    mpi.Cartdim_get(comm, &count);
    all.from = all.to = 2 * count;
  } else if (kind == MPI_GRAPH) {
    mpi.Comm_rank(comm, &rank);
    mpi.Graph_neighbors_count(comm, rank, &count);
    all.from = all.to = count;
  }
  return all;
}

// Within a group.
Addressed members(const Native& mpi, const Call& call) {
  int size = 0;
  Rank me = call.root;
  mpi.Comm_size(call.comm, &size);
  mpi.Comm_rank(call.comm, &me);
  const bool in_place = call.input == MPI_IN_PLACE || call.output == MPI_IN_PLACE;
  return {size, size, counts_sent(call, me, in_place), counts_received(call, me, in_place)};
}

// The root's group says so of the root, by MPI_ROOT, and of all others, who take no part, by MPI_PROC_NULL. Each group
// shares the result of a reduction out among its own ranks.
Addressed other_group(const Native& mpi, const Call& call) {
  int size = 0;
  (call.contract().reduces ? mpi.Comm_size : mpi.Comm_remote_size)(call.comm, &size);
  const bool takes_part = !call.contract().is_rooted() || call.root != MPI_PROC_NULL;
  const Rank me = call.root == MPI_ROOT ? call.root : call.root + 1;
  return {size, size, takes_part && counts_sent(call, me, false), takes_part && counts_received(call, me, false)};
}

std::size_t bytes_of(const Native& mpi, MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  mpi.Type_size_x(type, &size);
  return static_cast<std::size_t>(count * size);
}

// A rank that has no neighbours has no arrays either.
std::size_t mean_bytes(const Native& mpi, const Call& call, const CallBlocks& described, int blocks) {
  const bool is_empty = described.counts == nullptr && described.type == MPI_DATATYPE_NULL;
  if (is_empty) return 0;
  if (described.counts == nullptr) return bytes_of(mpi, described.count, described.type);
  std::size_t all = 0;
  for (int k = 0; k < blocks; ++k) {
    const MPI_Count count = call.function->is_large ? static_cast<const MPI_Count*>(described.counts)[k]
                                                    : static_cast<const int*>(described.counts)[k];
    if (count > 0) all += bytes_of(mpi, count, described.types != nullptr ? described.types[k] : described.type);
  }
  return blocks == 0 ? 0 : all / static_cast<std::size_t>(blocks);
}

}  // namespace

Addressed ranks_addressed(const Native& mpi, const Call& call) {
  int between_groups = 0;
  if (call.comm == MPI_COMM_NULL || mpi.Comm_test_inter(call.comm, &between_groups) != MPI_SUCCESS) return {};
  if (call.function->kind == FunctionKind::exchange) return neighbours(mpi, call.comm);
  return between_groups != 0 ? other_group(mpi, call) : members(mpi, call);
}

std::size_t given_bytes(const Native& mpi, const Call& call) {
  if (call.function->kind == FunctionKind::message) return bytes_of(mpi, call.received.count, call.received.type);
  if (call.function->is_collective() && !call.contract().carries_data) return 0;
  const Addressed ranks = ranks_addressed(mpi, call);
  const bool has_received_sizes = ranks.counts_received && call.received.counts != nullptr;
  const bool has_sent_sizes = ranks.counts_sent && call.sent.counts != nullptr;
  if (has_received_sizes && !has_sent_sizes) return mean_bytes(mpi, call, call.received, ranks.from);
  if (ranks.counts_sent) return mean_bytes(mpi, call, call.sent, ranks.to);
  return ranks.counts_received ? mean_bytes(mpi, call, call.received, ranks.from) : 0;
}

}  // namespace espalier
