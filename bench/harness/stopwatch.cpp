// SPDX-License-Identifier: Apache-2.0
#include "stopwatch.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "clock.hpp"

namespace bench {

namespace {

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

Timing time_together(MPI_Comm comm, const Train& train, const NumberedCall& call) {
  const double start = agreed_start(comm);
  std::vector<double> begins(static_cast<std::size_t>(train.calls()), start), ends = begins;
  sleep_until(start);
  const ProcessorTime before = processor_time();
  for (int i = 0; i < train.calls(); ++i) {
    if (i > 0 && call.contributes(i)) begins[i] = ends[i - 1];
    call.run(i);
    ends[i] = now();
  }
  const ProcessorTime after = processor_time();
  take_latest(begins, comm);
  take_latest(ends, comm);
  double seconds = 0;
  for (int i = train.before; i < train.before + train.timed; ++i) seconds += ends[i] - begins[i];
  const double ticks = after.all - before.all;
  return {seconds / train.timed, latest(ticks > 0 ? (after.busy - before.busy) / ticks : 0, comm)};
}

}  // namespace bench
