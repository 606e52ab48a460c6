// SPDX-License-Identifier: Apache-2.0
// What a step costs: time of a processor, memory that is kept for what it makes, and the most that it takes meanwhile.
#pragma once

#include <cstddef>
#include <ctime>
#include <functional>
#include <optional>

#include "scale/counted_memory.hpp"

namespace espalier {

struct StepCost {
  double seconds = 0;
  std::size_t kept = 0, peak = 0;  // bytes, over what there was before
};

// Of this process, which has one thread: others that want the processor do not count.
[[nodiscard]] inline double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// `step` returns what it makes.
template <class Step>
[[nodiscard]] StepCost cost_of(const Step& step) {
  const std::size_t before = counted_memory().kept;
  forget_peak();
  const double start = processor_seconds();
  const auto made = step();
  const double time = processor_seconds() - start;
  const CountedMemory after = counted_memory();
  (void)made;
  return {time, after.kept - before, after.peak - before};
}

// By another process, which changes nothing here. Nothing: it takes longer than this, or more memory than there is.
[[nodiscard]] std::optional<StepCost> cost_elsewhere(const std::function<StepCost()>& measure, int seconds_at_most);

}  // namespace espalier
