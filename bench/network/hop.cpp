// SPDX-License-Identifier: Apache-2.0
#include "hop.hpp"

#include <algorithm>
#include <vector>

#include "../harness/program.hpp"

namespace bench {

namespace {

constexpr int to_empty_bursts = 32, timed = 64;  // messages
constexpr int repeats = 7;

void shift(MPI_Comm comm, int rank, int ranks, std::vector<char>& here, std::vector<char>& there) {
  const int bytes = static_cast<int>(here.size());
  MPI_Sendrecv(here.data(), bytes, MPI_BYTE, (rank + 1) % ranks, 0, there.data(), bytes, MPI_BYTE,
               (rank + ranks - 1) % ranks, 0, comm, MPI_STATUS_IGNORE);
}

}  // namespace

double seconds_of_message(MPI_Comm comm, std::size_t bytes) {
  const auto [rank, ranks] = position_in(comm);
  std::vector<char> here(bytes), there(bytes);
  std::vector<double> times;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    for (int i = 0; i < to_empty_bursts; ++i) shift(comm, rank, ranks, here, there);
    const double start = MPI_Wtime();
    for (int i = 0; i < timed; ++i) shift(comm, rank, ranks, here, there);
    times.push_back((MPI_Wtime() - start) / timed);
  }
  std::ranges::nth_element(times, times.begin() + repeats / 2);
  double slowest = times[repeats / 2];
  MPI_Allreduce(MPI_IN_PLACE, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  return slowest;
}

}  // namespace bench
