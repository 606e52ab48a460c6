// SPDX-License-Identifier: Apache-2.0
// What is shared out among NICs leaves them in the order in which it was posted, whoever it is for. Otherwise whoever
// grants first gets all of his, and those whose turn it is by the plan wait: then two meet at one receiver, another one
// has nothing to do, and what was to go over all NICs finds some of them busy.
#pragma once

#include <algorithm>
#include <vector>

#include "transport/fabric/streams.hpp"

namespace espalier {

// Of one process. Whoever uses it holds the fabric's lock.
class Turns {
 public:
  // It has something to write.
  void add(Outlet& outlet) {
    if (!is_planned(outlet.path) || std::ranges::find(line_, &outlet) != line_.end()) return;
    outlet.in_line_since = std::chrono::steady_clock::now();
    line_.push_back(&outlet);
  }
  // It has written all, or will not.
  void remove(const Outlet& outlet) {
    if (is_planned(outlet.path)) std::erase(line_, &outlet);
  }
  [[nodiscard]] bool has(const Outlet& outlet) const {
    if (!is_planned(outlet.path)) return true;
    for (const Outlet* const before : line_) {
      if (before == &outlet) break;
      if (wants_same_nic(*before, outlet) && !is_late(*before)) return false;
    }
    return true;
  }

 private:
  // Nobody waits longer for a receiver that is not there yet: what is for others must not depend on it, which may
  // itself wait for that.
  static constexpr std::chrono::milliseconds patience{4};

  [[nodiscard]] static bool wants_same_nic(const Outlet& a, const Outlet& b) {
    return a.path == b.path || a.path == by_all_in_turn || b.path == by_all_in_turn;
  }
  [[nodiscard]] static bool is_late(const Outlet& outlet) {
    return !outlet.is_granted() && std::chrono::steady_clock::now() - outlet.in_line_since > patience;
  }

  std::vector<Outlet*> line_;
};

}  // namespace espalier
