// SPDX-License-Identifier: Apache-2.0
// When something is in use, by how many at a time.
#pragma once

#include <algorithm>
#include <vector>

namespace espalier::halo {

class Timetable {
 public:
  explicit Timetable(int capacity = 1) : capacity_(capacity) {}

  // The first time from `begin` on at which it can be used for so long.
  [[nodiscard]] double first_free(double begin, double length) const {
    double found = begin;
    while (true) {
      const double next = end_of_crowd(found, length);
      if (next == found) return found;
      found = next;
    }
  }
  void use(double begin, double end) {
    if (begin < end) uses_.push_back({begin, end});
  }

 private:
  struct Booking {
    double begins, ends;
  };

  // The time itself if there is room, or else the next one at which there is less to do.
  [[nodiscard]] double end_of_crowd(double begin, double length) const {
    if (length <= 0) return begin;
    const auto is_met = [&](const Booking& use) { return use.begins < begin + length && begin < use.ends; };
    // There are most users where one of them begins.
    const auto users_at = [&](double now) {
      return std::ranges::count_if(uses_, [&](const Booking& use) { return use.begins <= now && now < use.ends; });
    };
    double next = begin;
    bool is_crowded = users_at(begin) >= capacity_;
    for (const Booking& use : uses_) {
      if (!is_met(use)) continue;
      is_crowded = is_crowded || (use.begins > begin && users_at(use.begins) >= capacity_);
      next = next == begin ? use.ends : std::min(next, use.ends);
    }
    return is_crowded ? next : begin;
  }

  int capacity_;
  std::vector<Booking> uses_;
};

}  // namespace espalier::halo
