// SPDX-License-Identifier: Apache-2.0
#include <ctime>
#include <thread>

#include "differential/trials.hpp"
#include "shared/mpi_functions.hpp"

namespace espalier::apps {

namespace {

// All ranks run on one machine, so they share this clock.
double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Nobody leaves a barrier before the last one has come.
void run(Job& job, const Variant& variant, const Row& row, std::uint64_t number) {
  const Group& group = job.groups[row[1]];
  if (!group.has_me()) return;
  const int late_rank = job.roots[row[2]] % group.size;
  const Trial trial{.variant = variant,
                    .group = group,
                    .problem = {.collective = Collective::barrier},
                    .what = "rank " + std::to_string(late_rank) + " comes late",
                    .number = number};
  trial.begin();
  for (int repeat = 0; repeat < 3; ++repeat) {
    if (group.rank == late_rank) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    const double come = seconds_now();
    job.tally.make(trial, [&] { return MPI_Barrier(group.comm); });
    const double left = seconds_now();
    double last_come = 0, first_left = 0;
    native_mpi().allreduce(&come, &last_come, 1, MPI_DOUBLE, MPI_MAX, group.comm);
    native_mpi().allreduce(&left, &first_left, 1, MPI_DOUBLE, MPI_MIN, group.comm);
    if (first_left < last_come) trial.fail("a rank left before the last one had come");
  }
  job.tally.add_trial();
}

}  // namespace

Matrix barrier_matrix(const Job& job) {
  return {Collective::barrier, {static_cast<int>(job.groups.size()), static_cast<int>(job.roots.size())}, run};
}

}  // namespace espalier::apps
