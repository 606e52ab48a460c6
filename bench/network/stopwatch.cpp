// SPDX-License-Identifier: Apache-2.0
#include "stopwatch.hpp"

#include <ctime>
#include <fstream>
#include <string>

#include "../calls/native.hpp"

namespace bench {

namespace {

constexpr double head_start_seconds = 4e-3;  // so that all hear of the moment before it comes

double now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void sleep_until(double moment) {
  const auto seconds = static_cast<time_t>(moment);
  const timespec time{seconds, static_cast<long>((moment - static_cast<double>(seconds)) * 1e9)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
}

double latest(double mine, MPI_Comm comm) {
  double of_all = 0;
  native().allreduce(&mine, &of_all, 1, MPI_DOUBLE, MPI_MAX, comm);
  return of_all;
}

struct ProcessorTime {
  double busy = 0, all = 0;
};

// user nice system idle iowait irq softirq
ProcessorTime processor_time() {
  std::ifstream file("/proc/stat");
  std::string word;
  file >> word;
  ProcessorTime time;
  for (int column = 0; column < 7; ++column) {
    double ticks = 0;
    file >> ticks;
    time.all += ticks;
    if (column != 3 && column != 4) time.busy += ticks;
  }
  return time;
}

}  // namespace

Timing time_together(MPI_Comm comm, int calls, const std::function<void()>& call) {
  const double start = latest(now(), comm) + head_start_seconds;
  sleep_until(start);
  const ProcessorTime before = processor_time();
  for (int i = 0; i < calls; ++i) call();
  const double end = now();
  const ProcessorTime after = processor_time();
  const double ticks = after.all - before.all;
  return {(latest(end, comm) - start) / calls, latest(ticks > 0 ? (after.busy - before.busy) / ticks : 0, comm)};
}

}  // namespace bench
