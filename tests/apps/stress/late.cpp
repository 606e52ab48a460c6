// SPDX-License-Identifier: Apache-2.0
// Ranks that arrive late, now these and now others, at broadcasts, reductions and allreduces with several roots on
// several communicators, blocking and nonblocking; some are freed while notes to their roots are under way. Whatever
// the ranks are arranged in, results are right, and nobody waits endlessly.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 8 late [calls [seed]]
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/memory.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"
#include "shared/random.hpp"

namespace espalier::apps {

namespace {

constexpr const char* functions[] = {"MPI_Bcast", "MPI_Reduce", "MPI_Allreduce"};
constexpr const char* nonblocking_functions[] = {"MPI_Ibcast", "MPI_Ireduce", "MPI_Iallreduce"};
constexpr int counts[] = {40, 5000};
constexpr int roots = 2;
constexpr std::uint64_t calls_of_a_pattern = 150, calls_of_a_communicator = 400;
constexpr int most_late = 300;  // microseconds

// The same ranks are late for a while.
void arrive_late(const Member& world, std::uint64_t number) {
  const std::uint64_t pattern = number / calls_of_a_pattern;
  if (scramble(pattern, 1, world.rank) % 4 != 0) return;
  std::this_thread::sleep_for(std::chrono::microseconds(scramble(pattern, 2, world.rank) % most_late));
}

void make_call(const Member& member, std::uint64_t number) {
  const std::uint64_t which = scramble(number, 3) % std::size(functions);
  const bool is_nonblocking = scramble(number, 4) % 8 == 0;
  const Form& form = form_named(is_nonblocking ? nonblocking_functions[which] : functions[which]);
  const int root = static_cast<int>(scramble(number, 5) % roots) * (member.size - 1);
  const KnownCall::Wish wish{.form = form,
                             .number = number,
                             .root = form.function.contract->is_rooted() ? root : 0,
                             .count = counts[scramble(number, 6) % std::size(counts)]};
  if (!is_nonblocking) return make_and_check(member, wish);
  KnownCall call(member, wish);
  MPI_Request request = MPI_REQUEST_NULL;
  if (call.make(&request) != MPI_SUCCESS || MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
    fail(call.describe() + ": an error");
  } else {
    call.check();
  }
}

// Now and then a communicator is freed in the middle, and there is another one.
void make_calls(const Member& world, std::uint64_t calls, std::uint64_t seed) {
  MPI_Comm passing = MPI_COMM_NULL;
  for (std::uint64_t number = seed; number < seed + calls; ++number) {
    if ((number - seed) % calls_of_a_communicator == 0) {
      if (passing != MPI_COMM_NULL) MPI_Comm_free(&passing);
      MPI_Comm_split(world.comm, 0, scramble(number) % 2 == 0 ? world.rank : -world.rank, &passing);
      now_doing("late, seed " + std::to_string(seed) + ", call " + std::to_string(number));
    }
    arrive_late(world, number);
    make_call(scramble(number, 7) % 3 == 0 ? Member(passing) : world, number);
  }
  MPI_Comm_free(&passing);
}

int run(const Arguments& arguments) {
  const auto calls = arguments.number(1, 20000), seed = arguments.number(2, 20261123);
  const Member world(MPI_COMM_WORLD);
  make_calls(world, calls / 10, seed);
  const std::size_t early_bytes = resident_bytes();
  make_calls(world, calls, seed);
  const std::size_t late_bytes = resident_bytes();
  const CallCounts counted = all_calls();
  return conclude("\"calls\": " + std::to_string(calls) + ", \"own\": " + std::to_string(counted.own) +
                  ", \"native\": " + std::to_string(counted.native) +
                  ", \"growth_bytes\": " + std::to_string(late_bytes > early_bytes ? late_bytes - early_bytes : 0));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
