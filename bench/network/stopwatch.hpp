// SPDX-License-Identifier: Apache-2.0
// Times a call on ranks that share one machine, and so one clock: all begin at an agreed moment, and the call ends when
// the last one is done.
#pragma once

#include <mpi.h>

#include <functional>

namespace bench {

struct Timing {
  double seconds = 0;   // of one call
  double cpu_busy = 0;  // share of all of the machine's processors, at all ranks
};

// Collective; the same result on all ranks.
[[nodiscard]] Timing time_together(MPI_Comm comm, int calls, const std::function<void()>& call);

}  // namespace bench
