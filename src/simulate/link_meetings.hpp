// SPDX-License-Identifier: Apache-2.0
// On which links messages of different nodes met: there one had to wait for the other, or both were slower.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

class LinkMeetings {
 public:
  explicit LinkMeetings(std::size_t links) : under_way_(links), have_met_(links) {}

  void enter(std::span<const int> links) {
    for (const int link : links) {
      const auto index = static_cast<std::size_t>(link);
      if (under_way_[index]++ > 0) have_met_[index] = 1;
    }
  }
  void leave(std::span<const int> links) {
    for (const int link : links) --under_way_[static_cast<std::size_t>(link)];
  }

  [[nodiscard]] std::int64_t count() const { return std::ranges::count(have_met_, 1); }

 private:
  std::vector<int> under_way_;  // by link: messages
  std::vector<char> have_met_;
};

}  // namespace espalier
