// SPDX-License-Identifier: Apache-2.0
// In all of them every rank shows what it has to all others; reductions are in rank order. Blocks are of datatypes
// without gaps where they are reduced.
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

// Nothing for the first rank.
int exscan(const void* input, void* output, int count, MPI_Datatype type, MPI_Op, MPI_Comm comm) {
  if (type != MPI_BYTE) fail("Exscan adds no numbers");
  const std::vector<Bytes> all = exchange(comm, "Exscan", packed(input, count, *find_type(type)));
  Bytes sum(static_cast<std::size_t>(count));
  for (int rank = 0; rank < rank_in(comm); ++rank) {
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] |= all[static_cast<std::size_t>(rank)][k];
  }
  if (rank_in(comm) > 0) (void)unpack(sum, output, count, *find_type(type));
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

  [[nodiscard]] int count_at(int rank) const { return counts != nullptr ? counts[rank] : count; }
  [[nodiscard]] void* at(int rank) const {
    return fake::at(buffer, counts != nullptr ? displacements[rank] : MPI_Aint{rank} * count, type);
  }
  [[nodiscard]] Bytes get(int rank) const { return packed(at(rank), count_at(rank), *find_type(type)); }
  [[nodiscard]] bool put(int rank, const Bytes& bytes) const {
    return unpack(bytes, at(rank), count_at(rank), *find_type(type));
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

int gather(const void* input, int count, MPI_Datatype type, void* output, int output_count, MPI_Datatype output_type,
           int root, MPI_Comm comm) {
  const Bytes mine = packed(input, count, *find_type(type));
  if (rank_in(comm) != root) return (void)exchange(comm, "Gather", mine), MPI_SUCCESS;
  return gather_blocks("Gather", mine, {output, output_type, output_count}, comm);
}

int gatherv(const void* input, int count, MPI_Datatype type, void* output, const int counts[],
            const int displacements[], MPI_Datatype output_type, int root, MPI_Comm comm) {
  const Bytes mine = packed(input, count, *find_type(type));
  if (rank_in(comm) != root) return (void)exchange(comm, "Gatherv", mine), MPI_SUCCESS;
  return gather_blocks("Gatherv", mine, {output, output_type, 0, counts, displacements}, comm);
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
  table.Exscan = exscan;
  table.Reduce_scatter_block = reduce_scatter_block;
  table.Gather = gather;
  table.Gatherv = gatherv;
  table.Allgather = allgather;
  table.Allgatherv = allgatherv;
  table.Alltoall = alltoall;
  table.Alltoallv = alltoallv;
}

}  // namespace espalier::fake
