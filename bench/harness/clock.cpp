// SPDX-License-Identifier: Apache-2.0
#include "clock.hpp"

#include <ctime>

#include "native.hpp"

namespace bench {

namespace {

constexpr double head_start_seconds = 4e-3;

}  // namespace

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void sleep_until(double until) {
  const auto seconds = static_cast<time_t>(until);
  const timespec time{seconds, static_cast<long>((until - static_cast<double>(seconds)) * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

void take_latest(std::vector<double>& numbers, MPI_Comm comm) {
  native().Allreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, MPI_MAX, comm);
}

double latest(double mine, MPI_Comm comm) {
  std::vector<double> one = {mine};
  take_latest(one, comm);
  return one[0];
}

double agreed_start(MPI_Comm comm) { return latest(now(), comm) + head_start_seconds; }

}  // namespace bench
