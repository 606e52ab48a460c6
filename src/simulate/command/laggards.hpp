// SPDX-License-Identifier: Apache-2.0
// Algorithms that lag far behind a plain MPI, and do not catch up as messages get longer: to play them further takes
// the longest, and says nothing.
#pragma once

#include <map>
#include <set>

#include "simulate/command/calls.hpp"

namespace espalier::tool {

class Laggards {
 public:
  // Asked before each call. What Espalier would choose is never left out.
  [[nodiscard]] bool leave_out(const SimulatedCall& call);
  void note(const SimulatedCall& call, double seconds);

 private:
  struct AtSize {
    std::size_t bytes = 0;
    double plain_seconds = 0;  // the least; 0: nothing yet
    std::map<const Algorithm*, double> seconds;

    [[nodiscard]] double times_plain(const Algorithm* algorithm) const;  // 0: not known
  };

  void begin(std::size_t bytes);

  AtSize now_, before_;
  std::set<const Algorithm*> lagging_;
};

}  // namespace espalier::tool
