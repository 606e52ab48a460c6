// SPDX-License-Identifier: Apache-2.0
#include "mpi/neighbours/neighbourhood.hpp"

#include <array>
#include <mutex>
#include <optional>

namespace espalier {

namespace {

// Down and up in each dimension.
int find_in_grid(const Native& mpi, MPI_Comm comm, Neighbourhood& found) {
  int dimensions = 0;
  int status = mpi.Cartdim_get(comm, &dimensions);
  for (int dimension = 0; dimension < dimensions && status == MPI_SUCCESS; ++dimension) {
    Rank down = MPI_PROC_NULL, up = MPI_PROC_NULL;
    status = mpi.Cart_shift(comm, dimension, 1, &down, &up);
    found.to.insert(found.to.end(), {down, up});
  }
  found.from = found.to;
  return status;
}

int find_in_graph(const Native& mpi, MPI_Comm comm, Neighbourhood& found) {
  int count = 0;
  Rank me = 0;
  int status = mpi.Comm_rank(comm, &me);
  if (status == MPI_SUCCESS) status = mpi.Graph_neighbors_count(comm, me, &count);
  found.to.resize(static_cast<std::size_t>(count));
  if (status == MPI_SUCCESS) status = mpi.Graph_neighbors(comm, me, count, found.to.data());
  found.from = found.to;
  return status;
}

int find_in_distributed_graph(const Native& mpi, MPI_Comm comm, Neighbourhood& found) {
  int from = 0, to = 0, is_weighted = 0;
  const int status = mpi.Dist_graph_neighbors_count(comm, &from, &to, &is_weighted);
  if (status != MPI_SUCCESS) return status;
  found.from.resize(static_cast<std::size_t>(from));
  found.to.resize(static_cast<std::size_t>(to));
  std::vector<int> weights_from(found.from.size() + 1), weights_to(found.to.size() + 1);  // there, if nobody is
  return mpi.Dist_graph_neighbors(comm, from, found.from.data(), weights_from.data(), to, found.to.data(),
                                  weights_to.data());
}

// This process, which is its own neighbour so often.
constexpr int edges = 4;
using EdgeBlocks = std::array<int, edges>;

int make_loop(const Native& mpi, MPI_Comm alone, int kind, MPI_Comm& loop) {
  constexpr EdgeBlocks itself = {};
  if (kind == MPI_CART) {
    constexpr std::array size = {1, 1}, is_periodic = {1, 1};
    return mpi.Cart_create(alone, 2, size.data(), is_periodic.data(), 0, &loop);
  }
  if (kind == MPI_GRAPH) {
    constexpr int end = edges;
    return mpi.Graph_create(alone, 1, &end, itself.data(), 0, &loop);
  }
  constexpr EdgeBlocks weights = {1, 1, 1, 1};
  return mpi.Dist_graph_create_adjacent(alone, edges, itself.data(), weights.data(), edges, itself.data(),
                                        weights.data(), MPI_INFO_NULL, 0, &loop);
}

MeetingOrder meeting_in(const EdgeBlocks& received) {
  if (received == EdgeBlocks{0, 1, 2, 3}) return MeetingOrder::in_order;
  if (received == EdgeBlocks{3, 2, 1, 0}) return MeetingOrder::reversed;
  if (received == EdgeBlocks{1, 0, 3, 2}) return MeetingOrder::by_dimension;
  return MeetingOrder::unknown;
}

bool has_form(const Native& mpi, CallForm form) {
  switch (form) {
    case CallForm::blocking: return mpi.Neighbor_alltoall != nullptr;
    case CallForm::nonblocking: return mpi.Ineighbor_alltoall != nullptr;
    case CallForm::persistent: return mpi.Neighbor_alltoall_init != nullptr;
  }
  return false;
}

int exchange_persistently(const Native& mpi, MPI_Comm loop, const EdgeBlocks& sent, EdgeBlocks& received) {
  MPI_Request request = MPI_REQUEST_NULL;
  int status =
      mpi.Neighbor_alltoall_init(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, loop, MPI_INFO_NULL, &request);
  if (status == MPI_SUCCESS) status = mpi.Start(&request);
  if (status == MPI_SUCCESS) status = mpi.Wait(&request, MPI_STATUS_IGNORE);
  if (request != MPI_REQUEST_NULL) mpi.Request_free(&request);
  return status;
}

int exchange(const Native& mpi, MPI_Comm loop, CallForm form, const EdgeBlocks& sent, EdgeBlocks& received) {
  if (form == CallForm::persistent) return exchange_persistently(mpi, loop, sent, received);
  if (form == CallForm::blocking)
    return mpi.Neighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, loop);
  MPI_Request request = MPI_REQUEST_NULL;
  const int status = mpi.Ineighbor_alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, loop, &request);
  return status == MPI_SUCCESS ? mpi.Wait(&request, MPI_STATUS_IGNORE) : status;
}

MeetingOrder ask(const Native& mpi, MPI_Comm alone, int kind, CallForm form) {
  MPI_Comm loop = MPI_COMM_NULL;
  if (!has_form(mpi, form) || make_loop(mpi, alone, kind, loop) != MPI_SUCCESS) return MeetingOrder::unknown;
  EdgeBlocks received = {-1, -1, -1, -1};
  const int status = exchange(mpi, loop, form, {0, 1, 2, 3}, received);
  mpi.Comm_free(&loop);
  return status == MPI_SUCCESS ? meeting_in(received) : MeetingOrder::unknown;
}

// By which the blocks of one peer are sorted, as they meet.
int turn_of(MeetingOrder meeting, int place) {
  switch (meeting) {
    case MeetingOrder::reversed: return -place;
    case MeetingOrder::by_dimension: return place ^ 1;
    default: return place;
  }
}

}  // namespace

int find_neighbourhood(const Native& mpi, MPI_Comm comm, Neighbourhood& found) {
  const int status = mpi.Topo_test(comm, &found.kind);
  if (status != MPI_SUCCESS) return status;
  if (found.kind == MPI_CART) return find_in_grid(mpi, comm, found);
  if (found.kind == MPI_GRAPH) return find_in_graph(mpi, comm, found);
  return found.kind == MPI_DIST_GRAPH ? find_in_distributed_graph(mpi, comm, found) : MPI_SUCCESS;
}

MeetingOrder meeting_of(const Native& mpi, MPI_Comm alone, int kind, CallForm form) {
  static std::mutex asking;
  using OfForms = std::array<std::optional<MeetingOrder>, std::size(call_form_names)>;
  static std::array<OfForms, 3> known;
  const std::lock_guard lock(asking);
  OfForms& of_kind = known[kind == MPI_CART ? 0 : (kind == MPI_GRAPH ? 1 : 2)];
  std::optional<MeetingOrder>& answer = of_kind[static_cast<std::size_t>(form)];
  if (!answer) answer = ask(mpi, alone, kind, form);
  return *answer;
}

std::vector<int> turns_of(const std::vector<Rank>& peers, MeetingOrder meeting) {
  std::vector<int> turns(peers.size());
  for (std::size_t k = 0; k < peers.size(); ++k) {
    for (std::size_t other = 0; other < peers.size(); ++other) {
      const bool is_before = turn_of(meeting, static_cast<int>(other)) < turn_of(meeting, static_cast<int>(k));
      if (peers[other] == peers[k] && is_before) ++turns[k];
    }
  }
  return turns;
}

}  // namespace espalier
