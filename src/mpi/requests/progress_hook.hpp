// SPDX-License-Identifier: Apache-2.0
// Work that the MPI does within its own progress: whatever native call a process sits in, ours goes on there, too. So
// no waiting or testing function needs to be intercepted.
#pragma once

#include "mpi/job/job.hpp"

namespace espalier {

// Open MPI's opal_progress_register(), as its own nonblocking collectives use it, or MPICH's MPIX_Async_start().
[[nodiscard]] bool offers_progress_hook(const Job& job);
// From now on `work` is called often, from any thread, and must neither wait nor throw; it says whether it got on. It
// makes each of the MPI's own waits longer by some nanoseconds. False: there was no memory for it.
[[nodiscard]] bool hook_into_progress(const Job& job, bool (*work)());
void leave_progress(const Job& job);

}  // namespace espalier
