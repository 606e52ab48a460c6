// SPDX-License-Identifier: Apache-2.0
// Persistent neighbourhood collectives of all kinds on topologies of all kinds, drawn at random: ranks that are their
// own neighbours, or the same one's several times, nobody at an edge, blocks of nothing, derived datatypes that are
// freed at once. What comes is compared with what the MPI's own ones bring, byte by byte; requests are started again
// and again with other data, some of several, in any order, and made anew.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 halos [rounds [seed]]
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/memory.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

int of(std::uint64_t random, int count) { return static_cast<int>(random % static_cast<std::uint64_t>(count)); }

struct Topology {
  MPI_Comm comm = MPI_COMM_NULL;
  std::string name;
  std::vector<int> to, from;
};

void make_grid(std::uint64_t random, int size, Topology& made) {
  const int dimensions = 1 + of(random, 3);
  std::array<int, 3> extents{}, periods{};
  MPI_Dims_create(size, dimensions, extents.data());
  if (of(scramble(random, 1), 2) == 0) std::ranges::reverse(extents.begin(), extents.begin() + dimensions);
  for (int k = 0; k < dimensions; ++k) periods[static_cast<std::size_t>(k)] = of(scramble(random, 2, k), 3) > 0 ? 1 : 0;
  MPI_Cart_create(MPI_COMM_WORLD, dimensions, extents.data(), periods.data(), 0, &made.comm);
  for (int k = 0; k < dimensions; ++k) {
    int down = 0, up = 0;
    MPI_Cart_shift(made.comm, k, 1, &down, &up);
    made.to.insert(made.to.end(), {down, up});
  }
  made.from = made.to;
  made.name = "grid of " + std::to_string(dimensions);
}

// How often two ranks are neighbours. `is_directed`: the other way round another number.
int edges(std::uint64_t random, int a, int b, bool is_directed) {
  const std::uint64_t drawn = is_directed ? scramble(random, a, b) : scramble(random, std::min(a, b), std::max(a, b));
  return std::max(0, of(drawn, 5) - 2);
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
    const auto turn = [&](int one) { return (one + of(random, size)) % size; };  // in any order
    made.to.insert(made.to.end(), edges(random, rank, turn(other), true), turn(other));
    made.from.insert(made.from.end(), edges(random, turn(other), rank, true), turn(other));
  }
  const std::vector<int> weights(made.to.size() + made.from.size() + 1, 1);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, static_cast<int>(made.from.size()), made.from.data(), weights.data(),
                                 static_cast<int>(made.to.size()), made.to.data(), weights.data(), MPI_INFO_NULL, 0,
                                 &made.comm);
  made.name = "distributed graph";
}

Topology make_topology(std::uint64_t random, int rank, int size) {
  Topology made;
  switch (of(scramble(random, 9), 3)) {
    case 0: make_grid(random, size, made); break;
    case 1: make_graph(random, rank, size, made); break;
    default: make_distributed_graph(random, rank, size, made); break;
  }
  return made;
}

enum class Function : std::uint8_t { allgather, allgatherv, alltoall, alltoallv, alltoallw };
constexpr std::array function_names = {"allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw"};

// Elements are pairs of numbers, of a datatype that has gaps or none.
struct Type {
  explicit Type(std::uint64_t random) {
    const int kind = of(random, 3);
    if (kind == 0) MPI_Type_contiguous(2, MPI_INT, &handle);
    if (kind == 1) MPI_Type_vector(2, 1, 3, MPI_INT, &handle);
    if (kind == 2) {
      MPI_Datatype pair = MPI_DATATYPE_NULL;
      MPI_Type_contiguous(2, MPI_INT, &pair);
      MPI_Type_create_resized(pair, 0, 12, &handle);
      MPI_Type_free(&pair);
    }
    MPI_Type_commit(&handle);
    MPI_Aint lower_bound = 0;
    MPI_Type_get_extent(handle, &lower_bound, &extent);
    true_extent = kind == 1 ? 16 : 8;
  }
  MPI_Datatype handle = MPI_DATATYPE_NULL;
  MPI_Aint extent = 0, true_extent = 0;
};

// One side's blocks.
struct Blocks {
  std::vector<int> counts, places;  // in elements
  std::vector<MPI_Aint> bytes;      // the same places
  std::vector<MPI_Datatype> types;
  std::vector<unsigned char> memory;
};

class Halo {
 public:
  Halo(std::uint64_t random, int rank, int size)
      : random_(random),
        rank_(rank),
        topology_(make_topology(random, rank, size)),
        function_(static_cast<Function>(of(scramble(random, 5), 5))),
        sent_type_(scramble(random, 6, rank)),
        received_type_(scramble(random, 7, rank)),
        sent_(blocks(topology_.to, sent_type_)),
        received_(blocks(topology_.from, received_type_)) {
    expected_ = received_.memory;
    init(called_mpi(), received_.memory.data(), request);
    init(native_mpi(), expected_.data(), native_);
    if (!keeps_types()) free_types();
  }
  ~Halo() {
    MPI_Request_free(&request);
    native_mpi().Request_free(&native_);
    if (keeps_types()) free_types();
    MPI_Comm_free(&topology_.comm);
  }
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  void fill(std::uint64_t time) {
    for (std::size_t k = 0; k < sent_.memory.size(); ++k)
      sent_.memory[k] = static_cast<unsigned char>(scramble(time, rank_, k));
    std::ranges::fill(received_.memory, 0xA5);
    std::ranges::fill(expected_, 0xA5);
  }
  void check() {
    native_mpi().Start(&native_);
    native_mpi().Wait(&native_, MPI_STATUS_IGNORE);
    if (received_.memory != expected_)
      fail(std::string(function_names[static_cast<std::size_t>(function_)]) + " on a " + topology_.name + " of " +
           std::to_string(topology_.to.size()) + ", number " + std::to_string(random_));
  }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  // Open MPI itself looks at datatypes whenever such a request is started.
  [[nodiscard]] static constexpr bool keeps_types() {
#if defined(OPEN_MPI)
    return true;
#else
    return false;
#endif
  }
  void free_types() {
    MPI_Type_free(&sent_type_.handle);
    MPI_Type_free(&received_type_.handle);
  }

  // As long on both sides, in whatever order they meet.
  [[nodiscard]] int count_of(int peer) const {
    constexpr std::array counts = {0, 1, 2, 5, 300, 20000};
    const bool is_even = function_ == Function::allgather || function_ == Function::alltoall;
    const std::uint64_t drawn = is_even || function_ == Function::allgatherv
                                    ? scramble(random_, 11)
                                    : scramble(random_, 11, std::min(peer, rank_), std::max(peer, rank_));
    return counts[static_cast<std::size_t>(of(drawn, static_cast<int>(counts.size())))];
  }

  [[nodiscard]] Blocks blocks(const std::vector<int>& peers, const Type& type) const {
    Blocks made;
    // Open MPI wants addresses, also of nothing.
    made.counts.reserve(1);
    made.places.reserve(1);
    const bool has_gaps = function_ != Function::allgather && function_ != Function::alltoall;
    int next = 0;
    for (std::size_t k = 0; k < peers.size(); ++k) {
      if (has_gaps) next += of(scramble(random_, 12, rank_, k), 3);
      made.counts.push_back(count_of(peers[k]));
      made.places.push_back(next);
      made.bytes.push_back(next * type.extent);
      made.types.push_back(type.handle);
      next += made.counts.back();
    }
    // An allgather sends one block, whoever is there.
    next = std::max(next, count_of(MPI_PROC_NULL));
    made.memory.resize(static_cast<std::size_t>(next * type.extent + type.true_extent + 1));
    return made;
  }

  void init(const Native& mpi, void* output, MPI_Request& its) {
    const Blocks &s = sent_, &r = received_;
    const int count = count_of(MPI_PROC_NULL);
    const MPI_Datatype st = sent_type_.handle, rt = received_type_.handle;
    const MPI_Comm comm = topology_.comm;
    int status = MPI_SUCCESS;
    switch (function_) {
      case Function::allgather:
        status = mpi.Neighbor_allgather_init(s.memory.data(), count, st, output, count, rt, comm, MPI_INFO_NULL, &its);
        break;
      case Function::allgatherv:
        status = mpi.Neighbor_allgatherv_init(s.memory.data(), count, st, output, r.counts.data(), r.places.data(), rt,
                                              comm, MPI_INFO_NULL, &its);
        break;
      case Function::alltoall:
        status = mpi.Neighbor_alltoall_init(s.memory.data(), count, st, output, count, rt, comm, MPI_INFO_NULL, &its);
        break;
      case Function::alltoallv:
        status = mpi.Neighbor_alltoallv_init(s.memory.data(), s.counts.data(), s.places.data(), st, output,
                                             r.counts.data(), r.places.data(), rt, comm, MPI_INFO_NULL, &its);
        break;
      case Function::alltoallw:
        status =
            mpi.Neighbor_alltoallw_init(s.memory.data(), s.counts.data(), s.bytes.data(), s.types.data(), output,
                                        r.counts.data(), r.bytes.data(), r.types.data(), comm, MPI_INFO_NULL, &its);
        break;
    }
    if (status != MPI_SUCCESS) fail("init: " + text_of_error(status));
  }

  const std::uint64_t random_;
  const int rank_;
  Topology topology_;
  const Function function_;
  Type sent_type_, received_type_;
  Blocks sent_, received_;
  std::vector<unsigned char> expected_;
  MPI_Request native_ = MPI_REQUEST_NULL;
};

// Some at once, each rank in an order of its own.
void run_some(std::vector<std::unique_ptr<Halo>>& halos, std::uint64_t random, int rank) {
  std::vector<MPI_Request> requests;
  requests.reserve(halos.size());  // Open MPI wants an address
  std::vector<Halo*> chosen;
  for (std::size_t k = 0; k < halos.size(); ++k) {
    if (of(scramble(random, k), 3) > 0) chosen.push_back(halos[k].get());
  }
  const auto rotation = static_cast<std::ptrdiff_t>(chosen.empty() ? 0 : scramble(random, rank) % chosen.size());
  std::ranges::rotate(chosen, chosen.begin() + rotation);
  for (Halo* const halo : chosen) {
    halo->fill(random);
    requests.push_back(halo->request);
  }
  if (of(scramble(random, rank, 1), 2) == 0) {
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
  } else {
    for (MPI_Request& request : requests) MPI_Start(&request);
  }
  if (of(scramble(random, rank, 2), 2) == 0) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  } else {
    for (std::size_t k = requests.size(); k-- > 0;) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  }
  std::ranges::rotate(chosen, chosen.end() - rotation);
  for (Halo* const halo : chosen) halo->check();
}

int run(const Arguments& arguments) {
  const auto rounds = static_cast<int>(arguments.number(1, 50));
  const std::uint64_t seed = arguments.number(2, 20261124);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::size_t early_bytes = 0;
  for (int round = 0; round < rounds; ++round) {
    now_doing("halos, seed " + std::to_string(seed) + ", round " + std::to_string(round), 120);
    std::vector<std::unique_ptr<Halo>> halos;
    for (int k = 0; k < 4; ++k) halos.push_back(std::make_unique<Halo>(scramble(seed, round, k), rank, size));
    for (int turn = 0; turn < 6; ++turn) run_some(halos, scramble(seed, round, 100 + turn), rank);
    if (round == rounds / 2) early_bytes = resident_bytes();
  }
  const std::size_t late_bytes = resident_bytes();
  return conclude("\"rounds\": " + std::to_string(rounds) +
                  ", \"growth_bytes\": " + std::to_string(late_bytes > early_bytes ? late_bytes - early_bytes : 0));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  return espalier::apps::run_program(argc, argv, espalier::apps::run, MPI_THREAD_SINGLE);
}
