// SPDX-License-Identifier: Apache-2.0
// Where ranks meet before each timed call: past every MPI, since how ranks leave the MPI's own barrier differs by MPI.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "../harness/program.hpp"
#include "shared_memory.hpp"

namespace bench {

// When each of some calls began and ended, by this rank's clock, which is that of all ranks of a machine.
struct Times {
  std::vector<double> begins, ends;
};

class Stage {
 public:
  static constexpr int most_ranks = 128, most_calls = 1000;

  // Collective. Crowded: ranks outnumber the cores.
  Stage(MPI_Comm comm, bool is_crowded);

  // Flags in shared memory. A message of the MPI's that is still under way gets on meanwhile.
  void barrier();
  // Of one barrier. It tells how far from each other the ranks' cores are.
  double barrier_seconds();
  // Collective: the mean, over calls, of the time from when the last rank began it until the last one was done.
  // (Those who take turns on a core cannot begin together: there it is from when the first one began.) Without what it
  // takes to look at the clock, and without the few calls in which a processor did something else.
  double seconds_of_call(const Times& mine);
  // Collective: the largest of all ranks' numbers.
  double largest(double mine);

 private:
  struct Contents {
    std::array<LoneNumber, most_ranks> arrived;
    std::array<std::array<double, 2 * most_calls>, most_ranks> times;  // begin and end of each call
  };

  void await_all();
  double median_barrier(std::size_t times, int calls);

  const MPI_Comm comm_;
  const Position position_;
  const bool is_crowded_;
  Shared<Contents> shared_;
  std::uint64_t barriers_ = 0;
  double clock_seconds_ = 0;
};

}  // namespace bench
