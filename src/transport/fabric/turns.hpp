// SPDX-License-Identifier: Apache-2.0
// What is sent by one NIC alone leaves in the order in which it was posted, whoever it is for. Otherwise whoever grants
// first gets all of his, and those whose turn it is, as the messages were shared out among NICs, wait: then two meet at
// one receiver, and another one has nothing to do.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "transport/fabric/streams.hpp"

namespace espalier {

// Of one process. Whoever uses it holds the fabric's lock.
class Turns {
 public:
  // It has something to write.
  void add(Outlet& outlet) {
    if (!names_one_nic(outlet.path)) return;
    Line& line = line_of(outlet);
    if (std::ranges::find(line, &outlet) != line.end()) return;
    outlet.in_line_since = std::chrono::steady_clock::now();
    line.push_back(&outlet);
  }
  // It has written all, or will not.
  void remove(const Outlet& outlet) {
    if (names_one_nic(outlet.path)) std::erase(line_of(outlet), &outlet);
  }
  [[nodiscard]] bool has(const Outlet& outlet) {
    if (!names_one_nic(outlet.path)) return true;
    for (const Outlet* const before : line_of(outlet)) {
      if (before == &outlet) break;
      if (!is_late(*before)) return false;
    }
    return true;
  }

 private:
  using Line = std::vector<Outlet*>;

  // Nobody waits longer for a receiver that is not there yet: what is for others must not depend on it, which may
  // itself wait for that.
  static constexpr std::chrono::milliseconds patience{4};

  [[nodiscard]] static bool is_late(const Outlet& outlet) {
    return !outlet.is_granted() && std::chrono::steady_clock::now() - outlet.in_line_since > patience;
  }
  [[nodiscard]] Line& line_of(const Outlet& outlet) {
    return lines_[static_cast<std::size_t>(nic_of(outlet.path)) % lines_.size()];
  }

  std::array<Line, max_lanes> lines_;
};

}  // namespace espalier
