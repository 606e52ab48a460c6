// SPDX-License-Identifier: Apache-2.0
// What is distributed among NICs leaves them in the order in which it was posted, whichever process it is for.
// Otherwise the first to grant gets all of its own, and those whose turn it is by the plan wait: then two meet at one
// receiver, another one has nothing to do, and what was to go over all NICs finds some of them busy.
#pragma once

#include <algorithm>
#include <vector>

#include "core/clock.hpp"
#include "transport/fabric/protocol/streams.hpp"

namespace espalier {

// Of one process. A user of it holds the fabric's lock.
class Turns {
 public:
  // Of a NIC; 0: not known.
  explicit Turns(double bytes_per_second) : bytes_per_second_(bytes_per_second) {}

  // It has something to write.
  void add(Outlet& outlet) {
    if (!is_planned(outlet.path) || std::ranges::find(line_, &outlet) != line_.end()) return;
    outlet.in_line_since = Clock::now();
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
  [[nodiscard]] static bool wants_same_nic(const Outlet& a, const Outlet& b) {
    return a.path == b.path || a.path == by_all_in_turn || b.path == by_all_in_turn;
  }
  [[nodiscard]] bool is_late(const Outlet& outlet) const {
    return !outlet.is_granted() && Clock::now() - outlet.in_line_since > patience_for(outlet);
  }
  // Nobody waits longer for a receiver that is not there yet: what is for others must not depend on it, which may
  // itself wait for that. But to lose the order costs about as much as a message takes.
  [[nodiscard]] Clock::duration patience_for(const Outlet& outlet) const {
    constexpr std::chrono::duration<double> least{4e-3}, most{50e-3};
    constexpr double share = .25;
    if (bytes_per_second_ == 0 || !outlet.has_next()) return std::chrono::duration_cast<Clock::duration>(least);
    const std::chrono::duration<double> of_message{share * static_cast<double>(outlet.message_bytes()) /
                                                   bytes_per_second_};
    return std::chrono::duration_cast<Clock::duration>(std::clamp(of_message, least, most));
  }

  const double bytes_per_second_;
  std::vector<Outlet*> line_;
};

}  // namespace espalier
