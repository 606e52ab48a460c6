// SPDX-License-Identifier: Apache-2.0
// MPI_THREAD_MULTIPLE: each thread makes mixed collectives on a communicator of its own. The communicators are new in
// every round and overlap, and the threads meet them for the first time at once, in another order on each rank.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 4 threads [rounds [calls per round]]
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"
#include "shared/settings.hpp"

namespace espalier::apps {

namespace {

constexpr int thread_count = 4;

// A duplicate, the same ranks backwards, rows of two and columns.
std::vector<MPI_Comm> make_communicators(const Member& world) {
  std::vector<MPI_Comm> comms(thread_count);
  MPI_Comm_dup(MPI_COMM_WORLD, &comms[0]);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world.rank, &comms[1]);
  MPI_Comm_split(MPI_COMM_WORLD, world.rank / 2, world.rank, &comms[2]);
  MPI_Comm_split(MPI_COMM_WORLD, world.rank % 2, world.rank, &comms[3]);
  return comms;
}

void make_calls(MPI_Comm comm, std::uint64_t first, int calls) {
  const Member member(comm);
  for (int i = 0; i < calls; ++i) make_known_call(member, first + static_cast<std::uint64_t>(i), 2000);
}

void run_round(const Member& world, std::uint64_t round, int calls) {
  std::vector<MPI_Comm> comms = make_communicators(world);
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i) {
    const int which = (i + world.rank) % thread_count;
    const std::uint64_t first = scramble(round, which);
    threads.emplace_back(make_calls, comms[which], first, calls);
    if (round % 2 == 0) std::this_thread::sleep_for(std::chrono::microseconds(scramble(round, world.rank, i) % 500));
  }
  for (std::thread& thread : threads) thread.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

int run(const Arguments& arguments) {
  const auto rounds = static_cast<int>(arguments.number(1, 30));
  const auto calls_per_thread = static_cast<int>(arguments.number(2, 100));
  const Member world(MPI_COMM_WORLD);
  for (int round = 0; round < rounds; ++round) {
    now_doing("threads, round " + std::to_string(round));
    if (const std::string error = force(own_algorithms(static_cast<std::uint64_t>(round))); !error.empty()) fail(error);
    run_round(world, static_cast<std::uint64_t>(round), calls_per_thread);
  }
  const CallCounts counted = all_calls();
  return conclude("\"calls\": " + std::to_string(rounds * calls_per_thread * thread_count) +
                  ", \"own\": " + std::to_string(counted.own) + ", \"native\": " + std::to_string(counted.native));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  return espalier::apps::run_program(argc, argv, espalier::apps::run, MPI_THREAD_MULTIPLE);
}
