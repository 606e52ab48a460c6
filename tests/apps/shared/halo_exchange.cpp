// SPDX-License-Identifier: Apache-2.0
#include "shared/halo_exchange.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "shared/random.hpp"

namespace espalier::apps {

namespace {

void make_grid(std::uint64_t random, int size, Topology& made) {
  const int dimensions = 1 + drawn(random, 3);
  std::array<int, 3> extents{}, periods{};
  MPI_Dims_create(size, dimensions, extents.data());
  if (drawn(scramble(random, 1), 2) == 0) std::ranges::reverse(extents.begin(), extents.begin() + dimensions);
  for (int k = 0; k < dimensions; ++k)
    periods[static_cast<std::size_t>(k)] = drawn(scramble(random, 2, k), 3) > 0 ? 1 : 0;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, extents.data(), periods.data(), 0, &made.comm);
  for (int k = 0; k < dimensions; ++k) {
    int down = 0, up = 0;
    MPI_Cart_shift(made.comm, k, 1, &down, &up);
    made.to.insert(made.to.end(), {down, up});
  }
  made.from = made.to;
  made.name = "grid of " + std::to_string(dimensions);
}

// How often two ranks are neighbours. `is_directed`: in the other direction another number.
int edges(std::uint64_t random, int a, int b, bool is_directed) {
  const std::uint64_t number = is_directed ? scramble(random, a, b) : scramble(random, std::min(a, b), std::max(a, b));
  return std::max(0, drawn(number, 5) - 2);
}

void make_graph(std::uint64_t random, int rank, int size, Topology& made) {
  std::vector<int> ends, neighbours;
  neighbours.reserve(1);  // MPICH wants an address
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b < size; ++b) neighbours.insert(neighbours.end(), edges(random, a, b, false), b);
    ends.push_back(static_cast<int>(neighbours.size()));
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, ends.data(), neighbours.data(), 0, &made.comm);
  for (int b = 0; b < size; ++b) made.to.insert(made.to.end(), edges(random, rank, b, false), b);
  made.from = made.to;
  made.name = "graph";
}

void make_distributed_graph(std::uint64_t random, int rank, int size, Topology& made) {
  for (int other = 0; other < size; ++other) {
    const auto turn = [&](int one) { return (one + drawn(random, size)) % size; };  // in any order
    made.to.insert(made.to.end(), edges(random, rank, turn(other), true), turn(other));
    made.from.insert(made.from.end(), edges(random, turn(other), rank, true), turn(other));
  }
  const std::vector<int> weights(made.to.size() + made.from.size() + 1, 1);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(made.from.size()), made.from.data(), weights.data(),
                                 static_cast<int>(made.to.size()), made.to.data(), weights.data(), MPI_INFO_NULL, 0,
                                 &made.comm);
  made.name = "distributed graph";
}

constexpr std::array function_names = {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};

#define FORMS_OF(mpi, before, after)                                                          \
  std::tuple((mpi).before##eighbor_allgather##after, (mpi).before##eighbor_allgatherv##after, \
             (mpi).before##eighbor_alltoall##after, (mpi).before##eighbor_alltoallv##after,   \
             (mpi).before##eighbor_alltoallw##after)

}  // namespace

Topology make_topology(std::uint64_t random, int rank, int size) {
  Topology made;
  switch (drawn(scramble(random, 9), 3)) {
    case 0: make_grid(random, size, made); break;
    case 1: make_graph(random, rank, size, made); break;
    default: make_distributed_graph(random, rank, size, made); break;
  }
  return made;
}

HaloExchange::Type::Type(std::uint64_t random) {
  switch (drawn(random, 4)) {
    case 0: MPI_Type_contiguous(2, MPI_INT, &handle); break;
    case 1: MPI_Type_vector(2, 1, 3, MPI_INT, &handle); break;
    case 2: {
      MPI_Datatype pair = MPI_DATATYPE_NULL;
      MPI_Type_contiguous(2, MPI_INT, &pair);
      MPI_Type_create_resized(pair, 0, 12, &handle);
      MPI_Type_free(&pair);
      break;
    }
    default:
      handle = MPI_2INT;
      is_derived = false;
      return;
  }
  MPI_Type_commit(&handle);
  MPI_Aint lower_bound = 0;
  MPI_Type_get_extent(handle, &lower_bound, &extent);
  MPI_Type_get_true_extent(handle, &lower_bound, &true_extent);
}

HaloExchange::HaloExchange(std::uint64_t random, int rank, const Topology& topology)
    : random_(random),
      rank_(rank),
      topology_(topology),
      function_(static_cast<Function>(drawn(scramble(random, 5), 5))),
      is_large_(drawn(scramble(random, 8), 4) == 0),
      is_absolute_(drawn(scramble(random, 10, rank), 3) == 0),
      sent_type_(scramble(random, 6, rank)),
      received_type_(scramble(random, 7, rank)),
      sent_blocks_(blocks(topology.to, sent_type_, drawn(scramble(random, 13, rank), 2) == 0)),
      received_blocks_(blocks(topology.from, received_type_, false)),
      expected_blocks_(blocks(topology.from, received_type_, false)),
      sent_(sent_blocks_.length) {
  received.resize(received_blocks_.length);
  expected.resize(received_blocks_.length);
  lie_at(sent_.data(), sent_blocks_);
  lie_at(received.data(), received_blocks_);
  lie_at(expected.data(), expected_blocks_);
  if (function_ != Function::alltoallw || drawn(scramble(random, 14, rank), 3) > 0) return;
  name_block_by_block(sent_blocks_, scramble(random, 15, rank));
  name_block_by_block(received_blocks_, scramble(random, 16, rank));
  name_block_by_block(expected_blocks_, scramble(random, 16, rank));
}

// Those of nothing by elements without bytes, others as one element.
void HaloExchange::name_block_by_block(Blocks& blocks, std::uint64_t random) {
  constexpr int elements_without_bytes = 3;
  for (std::size_t k = 0; k < blocks.counts.size(); ++k) {
    if (drawn(scramble(random, k), 2) == 0) continue;
    const int count = blocks.counts[k];
    MPI_Type_contiguous(count, blocks.types[k], &blocks.types[k]);
    MPI_Type_commit(&blocks.types[k]);
    types_of_blocks_.push_back(blocks.types[k]);
    blocks.counts[k] = count == 0 ? elements_without_bytes : 1;
    blocks.large_counts[k] = blocks.counts[k];
  }
}

void HaloExchange::lie_at(const void* buffer, Blocks& blocks) {
  MPI_Aint address = 0;
  MPI_Get_address(buffer, &address);
  blocks.addresses.reserve(1);
  for (const MPI_Aint place : blocks.bytes) blocks.addresses.push_back(MPI_Aint_add(address, place));
}

void HaloExchange::free_types() {
  for (Type* const type : {&sent_type_, &received_type_}) {
    if (std::exchange(type->is_derived, false)) MPI_Type_free(&type->handle);
  }
  for (MPI_Datatype& type : std::exchange(types_of_blocks_, {})) MPI_Type_free(&type);
}

std::string HaloExchange::name() const {
  return std::string(function_names[static_cast<std::size_t>(function_)]) + " on a " + topology_.name + " of " +
         std::to_string(topology_.to.size()) + ", number " + std::to_string(random_);
}

void HaloExchange::fill(std::uint64_t time) {
  for (std::size_t k = 0; k < sent_.size(); ++k) sent_[k] = static_cast<unsigned char>(scramble(time, rank_, k));
  std::ranges::fill(received, 0xA5);
  std::ranges::fill(expected, 0xA5);
}

// As long on both sides, in whatever order they meet.
int HaloExchange::count_of(int peer) const {
  constexpr std::array counts = {0, 1, 2, 5, 256, 257, 511, 512, 513, 1279, 1280, 20000};
  const bool is_one_for_all = function_ != Function::alltoallv && function_ != Function::alltoallw;
  const std::uint64_t number =
      is_one_for_all ? scramble(random_, 11) : scramble(random_, 11, std::min(peer, rank_), std::max(peer, rank_));
  return counts[static_cast<std::size_t>(drawn(number, static_cast<int>(counts.size())))];
}

// `are_alike`: those of one count lie at one place.
HaloExchange::Blocks HaloExchange::blocks(const std::vector<int>& peers, const Type& type, bool are_alike) const {
  Blocks made;
  // Open MPI wants addresses, also of nothing.
  made.counts.reserve(1);
  made.places.reserve(1);
  made.large_counts.reserve(1);
  made.large_places.reserve(1);
  const bool has_gaps = function_ != Function::allgather && function_ != Function::alltoall;
  int next = 0;
  for (std::size_t k = 0; k < peers.size(); ++k) {
    if (has_gaps) next += drawn(scramble(random_, 12, rank_, k), 3);
    const int count = count_of(peers[k]);
    const auto same = std::ranges::find(made.counts, count) - made.counts.begin();
    const bool is_again = has_gaps && are_alike && same < std::ssize(made.counts);
    const int place = is_again ? made.places[static_cast<std::size_t>(same)] : next;
    made.counts.push_back(count);
    made.places.push_back(place);
    made.bytes.push_back(place * type.extent);
    made.types.push_back(type.handle);
    made.large_counts.push_back(count);
    made.large_places.push_back(place);
    if (!is_again) next += count;
  }
  made.are_empty = std::ranges::all_of(made.counts, [](int count) { return count == 0; });
  // An allgather sends one block, also where nobody receives it.
  next = std::max(next, count_of(MPI_PROC_NULL));
  made.length = static_cast<std::size_t>(next * type.extent + type.true_extent + 1);
  return made;
}

HaloExchange::Buffers HaloExchange::buffers(std::vector<unsigned char>& output) const {
  if (function_ == Function::alltoallw && is_absolute_) return {MPI_BOTTOM, MPI_BOTTOM};
  Buffers all{sent_.data(), output.data()};
  const bool names_one_count = function_ == Function::allgather || function_ == Function::alltoall;
  const bool is_count_zero = count_of(MPI_PROC_NULL) == 0;
  const bool sends_one_count = names_one_count || function_ == Function::allgatherv;
  if (sends_one_count ? is_count_zero : sent_blocks_.are_empty) {
    const void* const anywhere[] = {all.from, nullptr, all.to};
    all.from = anywhere[drawn(scramble(random_, 17, rank_), 3)];
  }
  if (names_one_count ? is_count_zero : received_blocks_.are_empty) {
    void* const anywhere[] = {all.to, nullptr, const_cast<void*>(all.from)};  // nothing is written
    all.to = anywhere[drawn(scramble(random_, 18, rank_), 3)];
  }
  return all;
}

template <class... Functions, class... More>
int HaloExchange::call(const std::tuple<Functions...>& functions, std::vector<unsigned char>& into,
                       More... more) const {
  const auto& [allgather, allgatherv, alltoall, alltoallv, alltoallw] = functions;
  const Blocks &s = sent_blocks_, &r = &into == &expected ? expected_blocks_ : received_blocks_;
  const auto [input, output] = buffers(into);
  const int count = count_of(MPI_PROC_NULL);
  const MPI_Datatype st = sent_type_.handle, rt = received_type_.handle;
  const MPI_Comm comm = topology_.comm;
  switch (function_) {
    case Function::allgather: return allgather(input, count, st, output, count, rt, comm, more...);
    case Function::allgatherv:
      return allgatherv(input, count, st, output, r.counts.data(), r.places.data(), rt, comm, more...);
    case Function::alltoall: return alltoall(input, count, st, output, count, rt, comm, more...);
    case Function::alltoallv:
      return alltoallv(input, s.counts.data(), s.places.data(), st, output, r.counts.data(), r.places.data(), rt, comm,
                       more...);
    case Function::alltoallw:
      return alltoallw(input, s.counts.data(), places_of(s), s.types.data(), output, r.counts.data(), places_of(r),
                       r.types.data(), comm, more...);
  }
  return MPI_ERR_INTERN;
}

template <class... Functions, class... More>
int HaloExchange::call_large(const std::tuple<Functions...>& functions, std::vector<unsigned char>& into,
                             More... more) const {
  const auto& [allgather, allgatherv, alltoall, alltoallv, alltoallw] = functions;
  const Blocks &s = sent_blocks_, &r = &into == &expected ? expected_blocks_ : received_blocks_;
  const auto [input, output] = buffers(into);
  const MPI_Count count = count_of(MPI_PROC_NULL);
  const MPI_Datatype st = sent_type_.handle, rt = received_type_.handle;
  const MPI_Comm comm = topology_.comm;
  switch (function_) {
    case Function::allgather: return allgather(input, count, st, output, count, rt, comm, more...);
    case Function::allgatherv:
      return allgatherv(input, count, st, output, r.large_counts.data(), r.large_places.data(), rt, comm, more...);
    case Function::alltoall: return alltoall(input, count, st, output, count, rt, comm, more...);
    case Function::alltoallv:
      return alltoallv(input, s.large_counts.data(), s.large_places.data(), st, output, r.large_counts.data(),
                       r.large_places.data(), rt, comm, more...);
    case Function::alltoallw:
      return alltoallw(input, s.large_counts.data(), places_of(s), s.types.data(), output, r.large_counts.data(),
                       places_of(r), r.types.data(), comm, more...);
  }
  return MPI_ERR_INTERN;
}

int HaloExchange::exchange(const Native& mpi, std::vector<unsigned char>& output) const {
  if (is_large_ && mpi.Neighbor_alltoall_c != nullptr) return call_large(FORMS_OF(mpi, N, _c), output);
  return call(FORMS_OF(mpi, N, ), output);
}

int HaloExchange::start(const Native& mpi, std::vector<unsigned char>& output, MPI_Request& request) const {
  if (is_large_ && mpi.Ineighbor_alltoall_c != nullptr) return call_large(FORMS_OF(mpi, In, _c), output, &request);
  return call(FORMS_OF(mpi, In, ), output, &request);
}

int HaloExchange::init(const Native& mpi, std::vector<unsigned char>& output, MPI_Request& request) const {
  return call(FORMS_OF(mpi, N, _init), output, MPI_INFO_NULL, &request);
}

int HaloExchange::exchange_wrongly(const Native& mpi) {
  const MPI_Comm comm = topology_.comm;
  return mpi.Neighbor_alltoall(sent_.data(), -1, MPI_INT, received.data(), -1, MPI_INT, comm);
}

}  // namespace espalier::apps
