// SPDX-License-Identifier: Apache-2.0
// Times calls on ranks that share one machine, and so one clock. A call begins when the last one of those whose data it
// needs begins it, and ends when the last rank is done.
#pragma once

#include <mpi.h>

#include <functional>

namespace bench {

// Calls back to back, the first one at an agreed time. Those before the timed ones empty the bursts that
// shaped links let pass after a rest, and those behind keep the links as busy until the timed ones end.
struct Train {
  int before = 0, timed = 1, behind = 0;
  [[nodiscard]] int calls() const { return before + timed + behind; }
};

struct Timing {
  double seconds = 0;   // of one timed call, on average
  double cpu_busy = 0;  // share of all of the machine's processors, at all ranks
};

// One rank's call, by its number in the train.
struct NumberedCall {
  std::function<void(int)> run;
  std::function<bool(int)> contributes;  // others need this rank's data
};

// Collective; the same result on all ranks.
[[nodiscard]] Timing time_together(MPI_Comm comm, const Train& train, const NumberedCall& call);

}  // namespace bench
