// SPDX-License-Identifier: Apache-2.0
// SimGrid without actors: it moves messages over links that they share, and keeps the time. SimGrid has one engine in a
// process, so this is made once; any number of runs follow one another.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "simulate/wiring/wiring.hpp"

namespace espalier {

class SimGrid {
 public:
  // The wiring must outlive it.
  explicit SimGrid(const Wiring& wiring);
  ~SimGrid();
  SimGrid(const SimGrid&) = delete;
  SimGrid& operator=(const SimGrid&) = delete;

  // A port of a node.
  struct End {
    int node = 0, port = 0;
  };

  // What happens: a message has been moved, by the number that it was started with; the time of set_alarm() is reached.
  struct MoveListener {
    std::function<void(std::uint32_t)> moved;
    std::function<void()> alarm;
  };

  // Moves bytes from now on; at most at this rate, if there is one.
  void start(std::uint32_t message, End from, End to, double bytes, double max_bytes_per_second);
  // Instead of the one that was set before.
  void set_alarm(double seconds);
  // Since run() began.
  [[nodiscard]] double now() const;

  // From `begin` until nothing moves and no alarm is set.
  void run(const MoveListener& listener, const std::function<void()>& begin);

 private:
  struct Platform;
  std::unique_ptr<Platform> parts_;
};

// "3.32"
[[nodiscard]] const char* simgrid_version();

}  // namespace espalier
