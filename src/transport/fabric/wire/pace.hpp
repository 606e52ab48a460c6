// SPDX-License-Identifier: Apache-2.0
// When a NIC should have sent what it was given, by its rate: what libfabric says arrives late where the route back is
// busy, as it is in every exchange of halos.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "core/clock.hpp"

namespace espalier {

class Pace {
 public:
  // Of the NIC; 0: not known.
  explicit Pace(double bytes_per_second)
      : seconds_per_byte_(bytes_per_second > 0 ? with_headers / bytes_per_second : 0) {}

  // This process gave it this many bytes more.
  void note(std::size_t bytes) {
    if (is_known()) sent_at_ = std::max(Clock::now(), sent_at_) + time_for(bytes);
  }
  // As receivers say: so it does not fall behind a NIC that is faster.
  void note_left(std::size_t bytes) {
    if (is_known()) sent_at_ = std::min(Clock::now() + time_for(bytes), sent_at_);
  }
  // Of a NIC whose rate is not known, too.
  [[nodiscard]] bool has_at_most(std::size_t bytes) const {
    return !is_known() || Clock::now() + time_for(bytes) >= sent_at_;
  }

 private:
  static constexpr double with_headers = 1.1;    // and a little, so that it is rather late than early
  static constexpr double longest_seconds = 10;  // where a rate cannot be

  [[nodiscard]] bool is_known() const { return seconds_per_byte_ > 0; }
  [[nodiscard]] Clock::duration time_for(std::size_t bytes) const {
    const double seconds = std::min(longest_seconds, static_cast<double>(bytes) * seconds_per_byte_);
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  double seconds_per_byte_;
  Clock::time_point sent_at_{};  // all of it
};

}  // namespace espalier
