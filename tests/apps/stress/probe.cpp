// SPDX-License-Identifier: Apache-2.0
// A few collectives, and where they went: for runs in which settings are wrong or differ between ranks.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 3 probe
#include <string>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/preloaded.hpp"
#include "shared/program.hpp"

namespace espalier::apps {

namespace {

int run(const Arguments&) {
  const Member world(MPI_COMM_WORLD);
  for (std::uint64_t number = 0; number < 100; ++number) make_known_call(world, number, 1000);
  const CallCounts mine = all_calls();
  const unsigned long long counts[2] = {mine.own, mine.native};
  unsigned long long sums[2] = {};
  MPI_Reduce(counts, sums, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, world.comm);
  return conclude(std::string("\"active\": ") + (is_active() ? "true" : "false") +
                  ", \"own\": " + std::to_string(sums[0]) + ", \"native\": " + std::to_string(sums[1]));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) { return espalier::apps::run_program(argc, argv, espalier::apps::run); }
