// SPDX-License-Identifier: Apache-2.0
// Neighbourhood collectives of all kinds and forms on topologies of all kinds, drawn at random (shared/halo_exchange).
// What comes is compared with what the MPI's own ones of the same form bring, byte by byte. Persistent requests are
// started again and again with other data, some of several, in any order, and made again; blocking calls are repeated,
// and several nonblocking ones are under way at once, whose datatypes are freed meanwhile.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 halos [rounds [seed [wrong]]]
//
// `wrong`, if it is 1: now and then one rank makes a call that is wrong, and the others must not wait for it.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/halo_exchange.hpp"
#include "shared/memory.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

struct World {
  int rank = 0, size = 0;
};

void check_code(int status, const std::string& what) {
  if (status != MPI_SUCCESS) fail(what + ": " + text_of_error(status));
}
void check_data(const HaloExchange& exchange, const std::string& form) {
  if (exchange.received != exchange.expected) fail(form + " " + exchange.name());
}

// Open MPI itself looks at datatypes whenever a persistent request is started.
#if defined(OPEN_MPI)
constexpr bool frees_types_at_once = false;
#else
constexpr bool frees_types_at_once = true;
#endif

// A persistent one.
class Halo {
 public:
  Halo(std::uint64_t random, const World& world)
      : topology_(make_topology(random, world.rank, world.size)), exchange_(random, world.rank, topology_) {
    check_code(exchange_.init(called_mpi(), exchange_.received, request), "init");
    check_code(exchange_.init(native_mpi(), exchange_.expected, native_), "init of the MPI's");
    if (frees_types_at_once) exchange_.free_types();
  }
  ~Halo() {
    MPI_Request_free(&request);
    native_mpi().Request_free(&native_);
    MPI_Comm_free(&topology_.comm);
  }
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  void fill(std::uint64_t time) { exchange_.fill(time); }
  void check() {
    native_mpi().Start(&native_);
    native_mpi().Wait(&native_, MPI_STATUS_IGNORE);
    check_data(exchange_, "persistent");
  }

  MPI_Request request = MPI_REQUEST_NULL;

 private:
  Topology topology_;
  HaloExchange exchange_;
  MPI_Request native_ = MPI_REQUEST_NULL;
};

// Some at once, each rank in an order of its own.
void run_some(std::vector<std::unique_ptr<Halo>>& halos, std::uint64_t random, int rank) {
  std::vector<MPI_Request> requests;
  requests.reserve(halos.size());  // Open MPI wants an address
  std::vector<Halo*> chosen;
  for (std::size_t k = 0; k < halos.size(); ++k) {
    if (drawn(scramble(random, k), 3) > 0) chosen.push_back(halos[k].get());
  }
  const auto rotation = static_cast<std::ptrdiff_t>(chosen.empty() ? 0 : scramble(random, rank) % chosen.size());
  std::ranges::rotate(chosen, chosen.begin() + rotation);
  for (Halo* const halo : chosen) {
    halo->fill(random);
    requests.push_back(halo->request);
  }
  if (drawn(scramble(random, rank, 1), 2) == 0) {
    MPI_Startall(static_cast<int>(requests.size()), requests.data());
  } else {
    for (MPI_Request& request : requests) MPI_Start(&request);
  }
  if (drawn(scramble(random, rank, 2), 2) == 0) {
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  } else {
    for (std::size_t k = requests.size(); k-- > 0;) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
  }
  std::ranges::rotate(chosen, chosen.end() - rotation);
  for (Halo* const halo : chosen) halo->check();
}

// Blocking and nonblocking calls on one communicator.
class Calls {
 public:
  Calls(std::uint64_t random, const World& world)
      : random_(random), world_(world), topology_(make_topology(random, world.rank, world.size)) {
    MPI_Comm_set_errhandler(topology_.comm, MPI_ERRORS_RETURN);
    for (int k = 0; k < 3; ++k)
      repeated_.push_back(std::make_unique<HaloExchange>(scramble(random, 50, k), world.rank, topology_));
  }
  ~Calls() {
    repeated_.clear();
    MPI_Comm_free(&topology_.comm);
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  void make_some(int turn, bool with_wrong_ones) {
    const std::uint64_t random = scramble(random_, 60, turn);
    switch (drawn(random, with_wrong_ones ? 4 : 3)) {
      case 0: exchange(*repeated_[static_cast<std::size_t>(drawn(scramble(random, 1), 3))], random); break;
      case 1: {
        HaloExchange one(random, world_.rank, topology_);
        exchange(one, random);
        break;
      }
      case 2: start_several(random); break;
      default: make_wrong_one(random); break;
    }
  }

 private:
  static void exchange(HaloExchange& one, std::uint64_t random) {
    one.fill(random);
    check_code(one.exchange(called_mpi(), one.received), "blocking");
    check_code(one.exchange(native_mpi(), one.expected), "blocking of the MPI's");
    check_data(one, "blocking");
  }

  // Each rank waits for them in an order of its own.
  void start_several(std::uint64_t random) {
    std::vector<std::unique_ptr<HaloExchange>> exchanges;
    std::vector<MPI_Request> requests;
    for (int k = 0; k < 1 + drawn(scramble(random, 2), 4); ++k) {
      const bool is_as_before = drawn(scramble(random, 3, k), 2) == 0;
      const std::uint64_t number = is_as_before ? random_ : scramble(random, 4, k);
      exchanges.push_back(std::make_unique<HaloExchange>(number, world_.rank, topology_));
      HaloExchange& one = *exchanges.back();
      one.fill(scramble(random, 5, k));
      MPI_Request native = MPI_REQUEST_NULL;
      check_code(one.start(native_mpi(), one.expected, native), "nonblocking of the MPI's");
      native_mpi().Wait(&native, MPI_STATUS_IGNORE);
    }
    for (const auto& one : exchanges) {
      check_code(one->start(called_mpi(), one->received, requests.emplace_back(MPI_REQUEST_NULL)), "nonblocking");
      one->free_types();
    }
    if (drawn(scramble(random, world_.rank, 6), 2) == 0) {
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    } else {
      for (std::size_t k = requests.size(); k-- > 0;) MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
    }
    for (const auto& one : exchanges) check_data(*one, "nonblocking");
  }

  // Of the others each either learns of it, or has nothing to do with it.
  void make_wrong_one(std::uint64_t random) {
    HaloExchange one(random, world_.rank, topology_);
    one.fill(random);
    const bool is_wrong = world_.rank == drawn(scramble(random, 7), world_.size) && !topology_.to.empty();
    const int status = is_wrong ? one.exchange_wrongly(called_mpi()) : one.exchange(called_mpi(), one.received);
    if (is_wrong && status == MPI_SUCCESS) fail("no error of a wrong call");
    native_mpi().Barrier(topology_.comm);
  }

  const std::uint64_t random_;
  const World& world_;
  Topology topology_;
  std::vector<std::unique_ptr<HaloExchange>> repeated_;
};

int run(const Arguments& arguments) {
  const auto rounds = static_cast<int>(arguments.number(1, 50));
  const std::uint64_t seed = arguments.number(2, 20261124);
  const bool with_wrong_ones = arguments.number(3, 0) != 0;
  World world;
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.size);
  std::size_t early_bytes = 0;
  for (int round = 0; round < rounds; ++round) {
    now_doing("halos, seed " + std::to_string(seed) + ", round " + std::to_string(round), 120);
    std::vector<std::unique_ptr<Halo>> halos;
    for (int k = 0; k < 4; ++k) halos.push_back(std::make_unique<Halo>(scramble(seed, round, k), world));
    for (int turn = 0; turn < 6; ++turn) run_some(halos, scramble(seed, round, 100 + turn), world.rank);
    Calls calls(scramble(seed, round, 200), world);
    for (int turn = 0; turn < 12; ++turn) calls.make_some(turn, with_wrong_ones);
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
