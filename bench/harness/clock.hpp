// SPDX-License-Identifier: Apache-2.0
// One clock for ranks that share a machine, and times that they agree on.
#pragma once

#include <mpi.h>

#include <vector>

namespace bench {

// Seconds.
[[nodiscard]] double now();
void sleep_until(double until);

// Each number's largest value of all ranks. Past Espalier.
void take_latest(std::vector<double>& numbers, MPI_Comm comm);
[[nodiscard]] double latest(double mine, MPI_Comm comm);

// A time to begin together, which all know of before it comes. Collective.
[[nodiscard]] double agreed_start(MPI_Comm comm);

}  // namespace bench
