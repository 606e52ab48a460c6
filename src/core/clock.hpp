// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace espalier {

// Seconds, by this machine's steady clock.
[[nodiscard]] inline double seconds_of(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}
[[nodiscard]] inline double now() { return seconds_of(std::chrono::steady_clock::now().time_since_epoch()); }

}  // namespace espalier
