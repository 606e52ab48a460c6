// SPDX-License-Identifier: Apache-2.0
// In all of them every rank shows what it has to all others; reductions are in rank order. Blocks are of datatypes
// without gaps where they are reduced.
#include <numeric>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

// What is wrong with the arguments of a collective; MPI_SUCCESS if nothing is.
int wrong(MPI_Comm comm, MPI_Count count, MPI_Datatype type, int root = 0) {
  const Comm* const found = find_comm(comm);
  if (found == nullptr) return MPI_ERR_COMM;
  if (count < 0) return MPI_ERR_COUNT;
  if (find_type(type) == nullptr) return MPI_ERR_TYPE;
  return root < 0 || root >= static_cast<int>(found->members.size()) ? MPI_ERR_ROOT : MPI_SUCCESS;
}

int rank_in(MPI_Comm comm) { return find_comm(comm)->rank_of(my_rank()); }
int size_of(MPI_Comm comm) { return static_cast<int>(find_comm(comm)->members.size()); }

void* at(void* buffer, MPI_Aint elements, MPI_Datatype type) {
  return static_cast<std::byte*>(buffer) + elements * find_type(type)->extent;
}
const void* at(const void* buffer, MPI_Aint elements, MPI_Datatype type) {
  return at(const_cast<void*>(buffer), elements, type);
}

int barrier(MPI_Comm comm) {
  if (find_comm(comm) == nullptr) return raise(comm, MPI_ERR_COMM);
  (void)exchange(comm, "Barrier", {});
  return MPI_SUCCESS;
}

int bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (const int error = wrong(comm, count, type, root); error != MPI_SUCCESS) return raise(comm, error);
  const bool is_root = rank_in(comm) == root;
  const auto all = exchange(comm, "Bcast", is_root ? packed(buffer, count, *find_type(type)) : Bytes());
  const bool fits = unpack(all[static_cast<std::size_t>(root)], buffer, count, *find_type(type));
  return fits ? MPI_SUCCESS : raise(comm, MPI_ERR_TRUNCATE);
}

// The sum of what all gave.
Bytes reduced(const char* function, const void* input, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  const std::vector<Bytes> all = exchange(comm, function, packed(input, count, *find_type(type)));
  Bytes sum = all.back();
  for (std::size_t k = all.size() - 1; k-- > 0;) combine(op, type, all[k].data(), sum.data(), count);
  return sum;
}

int allreduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (const int error = wrong(comm, count, type); error != MPI_SUCCESS) return raise(comm, error);
  const void* const mine = input == MPI_IN_PLACE ? output : input;
  (void)unpack(reduced("Allreduce", mine, count, type, op, comm), output, count, *find_type(type));
  return MPI_SUCCESS;
}

int reduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  if (const int error = wrong(comm, count, type, root); error != MPI_SUCCESS) return raise(comm, error);
  const Bytes sum = reduced("Reduce", input == MPI_IN_PLACE ? output : input, count, type, op, comm);
  if (rank_in(comm) == root) (void)unpack(sum, output, count, *find_type(type));
  return MPI_SUCCESS;
}

// The sum of what the first ranks gave, if there are any.
int prefix(const char* function, const void* input, void* output, int count, MPI_Datatype type, MPI_Op op,
           MPI_Comm comm, int ranks) {
  if (const int error = wrong(comm, count, type); error != MPI_SUCCESS) return raise(comm, error);
  const void* const mine = input == MPI_IN_PLACE ? output : input;
  const std::vector<Bytes> all = exchange(comm, function, packed(mine, count, *find_type(type)));
  if (ranks == 0) return MPI_SUCCESS;
  Bytes sum = all[static_cast<std::size_t>(ranks) - 1];
  for (int k = ranks - 2; k >= 0; --k) combine(op, type, all[static_cast<std::size_t>(k)].data(), sum.data(), count);
  (void)unpack(sum, output, count, *find_type(type));
  return MPI_SUCCESS;
}

int scan(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return prefix("Scan", input, output, count, type, op, comm, rank_in(comm) + 1);
}

int exscan(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return prefix("Exscan", input, output, count, type, op, comm, rank_in(comm));
}

int reduce_scatter(const void* input, void* output, const int counts[], MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (const int error = wrong(comm, 0, type); error != MPI_SUCCESS) return raise(comm, error);
  const void* const mine = input == MPI_IN_PLACE ? output : input;
  const int me = rank_in(comm);
  const int before = std::accumulate(counts, counts + me, 0);
  const int all = std::accumulate(counts, counts + size_of(comm), 0);
  const Bytes sum = reduced("Reduce_scatter", mine, all, type, op, comm);
  const void* const block = at(static_cast<const void*>(sum.data()), before, type);
  (void)unpack(packed(block, counts[me], *find_type(type)), output, counts[me], *find_type(type));
  return MPI_SUCCESS;
}

int reduce_scatter_block(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (const int error = wrong(comm, count, type); error != MPI_SUCCESS) return raise(comm, error);
  const void* const mine = input == MPI_IN_PLACE ? output : input;
  const Bytes sum = reduced("Reduce_scatter_block", mine, count * size_of(comm), type, op, comm);
  const void* const block = at(static_cast<const void*>(sum.data()), MPI_Aint{count} * rank_in(comm), type);
  (void)unpack(packed(block, count, *find_type(type)), output, count, *find_type(type));
  return MPI_SUCCESS;
}

// Blocks of a buffer, by rank. Even ones have no displacements.
struct Blocks {
  void* buffer;
  MPI_Datatype type;
  int count;
  const int* counts = nullptr;
  const int* displacements = nullptr;
  const MPI_Datatype* types = nullptr;  // of each; displacements are bytes then

  [[nodiscard]] const Type& type_at(int rank) const { return *find_type(types != nullptr ? types[rank] : type); }
  [[nodiscard]] int count_at(int rank) const { return counts != nullptr ? counts[rank] : count; }
  [[nodiscard]] void* at(int rank) const {
    if (types != nullptr) return static_cast<std::byte*>(buffer) + displacements[rank];
    return fake::at(buffer, counts != nullptr ? displacements[rank] : MPI_Aint{rank} * count, type);
  }
  [[nodiscard]] Bytes get(int rank) const { return packed(at(rank), count_at(rank), type_at(rank)); }
  [[nodiscard]] bool put(int rank, const Bytes& bytes) const {
    return unpack(bytes, at(rank), count_at(rank), type_at(rank));
  }
};

int gather_blocks(const char* function, const Bytes& mine, const Blocks& to, MPI_Comm comm) {
  const std::vector<Bytes> all = exchange(comm, function, mine);
  bool fits = true;
  for (std::size_t k = 0; k < all.size(); ++k) fits = to.put(static_cast<int>(k), all[k]) && fits;
  return fits ? MPI_SUCCESS : raise(comm, MPI_ERR_TRUNCATE);
}

Bytes contribution(const void* input, int count, MPI_Datatype type, const Blocks& output, MPI_Comm comm) {
  return input == MPI_IN_PLACE ? output.get(rank_in(comm)) : packed(input, count, *find_type(type));
}

// Only the root's `to` means anything.
int gather_to_root(const char* function, const void* input, int count, MPI_Datatype type, const Blocks& to, int root,
                   MPI_Comm comm) {
  const bool is_root = rank_in(comm) == root;
  if (const int error = wrong(comm, 0, is_root ? to.type : type, root); error != MPI_SUCCESS) return raise(comm, error);
  if (is_root) return gather_blocks(function, contribution(input, count, type, to, comm), to, comm);
  (void)exchange(comm, function, packed(input, count, *find_type(type)));
  return MPI_SUCCESS;
}

int gather(const void* input, int count, MPI_Datatype type, void* output, int output_count, MPI_Datatype output_type,
           int root, MPI_Comm comm) {
  return gather_to_root("Gather", input, count, type, {output, output_type, output_count}, root, comm);
}

int gatherv(const void* input, int count, MPI_Datatype type, void* output, const int counts[],
            const int displacements[], MPI_Datatype output_type, int root, MPI_Comm comm) {
  return gather_to_root("Gatherv", input, count, type, {output, output_type, 0, counts, displacements}, root, comm);
}

// Only the root's `from` means anything. A round for each receiver.
int scatter_from_root(const char* function, const Blocks& from, void* output, int count, MPI_Datatype type, int root,
                      MPI_Comm comm) {
  const bool is_root = rank_in(comm) == root;
  if (const int error = wrong(comm, 0, is_root ? from.type : type, root); error != MPI_SUCCESS) {
    return raise(comm, error);
  }
  for (int rank = 0; rank < size_of(comm); ++rank) {
    const auto all = exchange(comm, function, is_root ? from.get(rank) : Bytes());
    if (rank != rank_in(comm) || output == MPI_IN_PLACE) continue;
    if (!unpack(all[static_cast<std::size_t>(root)], output, count, *find_type(type))) fail("Scatter truncates");
  }
  return MPI_SUCCESS;
}

int scatter(const void* input, int count, MPI_Datatype type, void* output, int output_count, MPI_Datatype output_type,
            int root, MPI_Comm comm) {
  return scatter_from_root("Scatter", {const_cast<void*>(input), type, count}, output, output_count, output_type, root,
                           comm);
}

int scatterv(const void* input, const int counts[], const int displacements[], MPI_Datatype type, void* output,
             int output_count, MPI_Datatype output_type, int root, MPI_Comm comm) {
  return scatter_from_root("Scatterv", {const_cast<void*>(input), type, 0, counts, displacements}, output, output_count,
                           output_type, root, comm);
}

int allgather(const void* input, int count, MPI_Datatype type, void* output, int output_count, MPI_Datatype output_type,
              MPI_Comm comm) {
  if (const int error = wrong(comm, output_count, output_type); error != MPI_SUCCESS) return raise(comm, error);
  const Blocks to{output, output_type, output_count};
  return gather_blocks("Allgather", contribution(input, count, type, to, comm), to, comm);
}

int allgatherv(const void* input, int count, MPI_Datatype type, void* output, const int counts[],
               const int displacements[], MPI_Datatype output_type, MPI_Comm comm) {
  if (const int error = wrong(comm, 0, output_type); error != MPI_SUCCESS) return raise(comm, error);
  const Blocks to{output, output_type, 0, counts, displacements};
  return gather_blocks("Allgatherv", contribution(input, count, type, to, comm), to, comm);
}

// Each rank shows all its blocks to all, one round for each receiver.
int exchange_blocks(const char* function, const Blocks& from, const Blocks& to, MPI_Comm comm) {
  std::vector<Bytes> mine;
  for (int rank = 0; rank < size_of(comm); ++rank) mine.push_back(from.get(rank));
  for (int rank = 0; rank < size_of(comm); ++rank) {
    const std::vector<Bytes> all = exchange(comm, function, mine[static_cast<std::size_t>(rank)]);
    for (std::size_t k = 0; rank == rank_in(comm) && k < all.size(); ++k) (void)to.put(static_cast<int>(k), all[k]);
  }
  return MPI_SUCCESS;
}

int alltoall(const void* input, int count, MPI_Datatype type, void* output, int output_count, MPI_Datatype output_type,
             MPI_Comm comm) {
  if (const int error = wrong(comm, output_count, output_type); error != MPI_SUCCESS) return raise(comm, error);
  const Blocks to{output, output_type, output_count};
  return exchange_blocks("Alltoall", input == MPI_IN_PLACE ? to : Blocks{const_cast<void*>(input), type, count}, to,
                         comm);
}

int alltoallv(const void* input, const int counts[], const int displacements[], MPI_Datatype type, void* output,
              const int output_counts[], const int output_displacements[], MPI_Datatype output_type, MPI_Comm comm) {
  if (const int error = wrong(comm, 0, output_type); error != MPI_SUCCESS) return raise(comm, error);
  const Blocks to{output, output_type, 0, output_counts, output_displacements};
  const Blocks from{const_cast<void*>(input), type, 0, counts, displacements};
  return exchange_blocks("Alltoallv", input == MPI_IN_PLACE ? to : from, to, comm);
}

int alltoallw(const void* input, const int counts[], const int displacements[], const MPI_Datatype types[],
              void* output, const int output_counts[], const int output_displacements[],
              const MPI_Datatype output_types[], MPI_Comm comm) {
  if (const int error = wrong(comm, 0, output_types[0]); error != MPI_SUCCESS) return raise(comm, error);
  const Blocks to{output, MPI_DATATYPE_NULL, 0, output_counts, output_displacements, output_types};
  const Blocks from{const_cast<void*>(input), MPI_DATATYPE_NULL, 0, counts, displacements, types};
  return exchange_blocks("Alltoallw", input == MPI_IN_PLACE ? to : from, to, comm);
}

// Every rank's neighbours are all ranks, itself too.
int topo_test(MPI_Comm comm, int* kind) {
  if (find_comm(comm) == nullptr) return raise(comm, MPI_ERR_COMM);
  *kind = MPI_DIST_GRAPH;
  return MPI_SUCCESS;
}

int dist_graph_neighbors_count(MPI_Comm comm, int* from, int* to, int* weighted) {
  *weighted = 0;
  return *from = *to = size_of(comm), MPI_SUCCESS;
}

int neighbor_alltoallw(const void* input, const int counts[], const MPI_Aint places[], const MPI_Datatype types[],
                       void* output, const int output_counts[], const MPI_Aint output_places[],
                       const MPI_Datatype output_types[], MPI_Comm comm) {
  for (int rank = 0; rank < size_of(comm); ++rank) {
    const void* const sent = static_cast<const std::byte*>(input) + places[rank];
    const auto all = exchange(comm, "Neighbor_alltoallw", packed(sent, counts[rank], *find_type(types[rank])));
    for (std::size_t k = 0; rank == rank_in(comm) && k < all.size(); ++k) {
      (void)unpack(all[k], static_cast<std::byte*>(output) + output_places[k], output_counts[k],
                   *find_type(output_types[k]));
    }
  }
  return MPI_SUCCESS;
}

}  // namespace

std::vector<Bytes> exchange(MPI_Comm comm, const char* function, const Bytes& bytes) {
  Meeting& meeting = find_comm(comm)->meeting;
  wait_until([&] { return meeting.leaving == 0; });
  if (meeting.arrived == 0) meeting.function = function;
  if (meeting.function != function) fail(meeting.function + " meets " + function);
  meeting.given[static_cast<std::size_t>(rank_in(comm))] = bytes;
  if (++meeting.arrived == meeting.given.size()) meeting.leaving = meeting.arrived;
  note_progress();
  wait_until([&] {
    make_progress();
    return meeting.leaving != 0;
  });
  std::vector<Bytes> all = meeting.given;
  if (--meeting.leaving == 0) meeting.arrived = 0;
  return all;
}

void add_collectives(Native& table) {
  table.Barrier = barrier;
  table.Bcast = bcast;
  table.Allreduce = allreduce;
  table.Reduce = reduce;
  table.Scan = scan;
  table.Exscan = exscan;
  table.Reduce_scatter = reduce_scatter;
  table.Scatter = scatter;
  table.Scatterv = scatterv;
  table.Reduce_scatter_block = reduce_scatter_block;
  table.Gather = gather;
  table.Gatherv = gatherv;
  table.Allgather = allgather;
  table.Allgatherv = allgatherv;
  table.Alltoall = alltoall;
  table.Alltoallv = alltoallv;
  table.Alltoallw = alltoallw;
  table.Topo_test = topo_test;
  table.Dist_graph_neighbors_count = dist_graph_neighbors_count;
  table.Neighbor_allgather = allgather;
  table.Neighbor_allgatherv = allgatherv;
  table.Neighbor_alltoall = alltoall;
  table.Neighbor_alltoallv = alltoallv;
  table.Neighbor_alltoallw = neighbor_alltoallw;
}

}  // namespace espalier::fake
