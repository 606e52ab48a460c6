// SPDX-License-Identifier: Apache-2.0
// One clock for ranks that share a machine, and sampling points that they agree on.
#pragma once

#include <mpi.h>

#include <vector>

namespace bench {

// Seconds.
[[nodiscard]] double now();
void sleep_until(double sampling_point);

// Each number's largest value of all ranks. Past Espalier.
void take_latest(std::vector<double>& numbers, MPI_Comm comm);
[[nodiscard]] double latest(double mine, MPI_Comm comm);

// A sampling point to begin together, which all have learnt of before it comes. Collective.
[[nodiscard]] double agreed_start(MPI_Comm comm);

}  // namespace bench
