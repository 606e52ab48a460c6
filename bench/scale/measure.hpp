// SPDX-License-Identifier: Apache-2.0
// What a step costs: time, memory that is kept for what it makes, and the most that it takes meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>

#include "scale/counted_memory.hpp"

namespace espalier {

struct StepCost {
  double seconds = 0;
  std::size_t kept = 0, peak = 0;  // bytes, over what there was before
};

// `step` returns what it makes.
template <class Step>
[[nodiscard]] StepCost cost_of(const Step& step) {
  const std::size_t before = counted_memory().kept;
  forget_peak();
  const auto start = std::chrono::steady_clock::now();
  const auto made = step();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  const CountedMemory after = counted_memory();
  (void)made;
  return {time.count(), after.kept - before, after.peak - before};
}

// By another process, which changes nothing here. Nothing: it takes longer than this, or more memory than there is.
[[nodiscard]] std::optional<StepCost> cost_elsewhere(const std::function<StepCost()>& measure, int seconds_at_most);

}  // namespace espalier
