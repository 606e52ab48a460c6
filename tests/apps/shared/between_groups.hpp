// SPDX-License-Identifier: Apache-2.0
// Calls between two groups, which are always the native MPI's.
#pragma once

#include <mpi.h>

namespace espalier::apps {

// One of each function, blocking and nonblocking: says which give something else than natively, or were not counted as
// native. Collective over both groups; `root`: this rank's part in calls that have one.
void make_calls_between_groups(MPI_Comm both, int root);

}  // namespace espalier::apps
