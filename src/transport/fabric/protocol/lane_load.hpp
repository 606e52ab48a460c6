// SPDX-License-Identifier: Apache-2.0
// How much a NIC has to do: what this process has under way by it, to whomever.
#pragma once

#include <algorithm>
#include <cstddef>

#include "transport/fabric/wire/pace.hpp"
#include "transport/fabric/wire/pieces.hpp"

namespace espalier {

class LaneLoad {
 public:
  // `rate`: in any measure that all NICs of a host have in common. `bytes_per_second`: 0: not known.
  LaneLoad(int number, double rate, double bytes_per_second)
      : number_(number), rate_(rate), pace_(bytes_per_second), enough_to_do_(enough_for(bytes_per_second)) {}

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] double rate() const { return rate_; }
  [[nodiscard]] bool is_busy() const { return writes_ > 0; }
  [[nodiscard]] std::size_t bytes_under_way() const { return bytes_under_way_; }
  // It is through with what this process gave it but for a piece, or what it sends until that looks again, as receivers
  // say; or but for half of it by its rate, since they say so late.
  [[nodiscard]] bool is_nearly_free() const {
    return bytes_under_way_ <= enough_to_do_ || pace_.has_at_most(enough_to_do_ / 2);
  }
  void note_write(std::size_t bytes) {
    ++writes_, bytes_under_way_ += bytes;
    pace_.note(bytes);
  }
  void note_end_of_write(std::size_t bytes) {
    --writes_, bytes_under_way_ -= bytes;
    pace_.note_left(bytes_under_way_);
  }

 private:
  // Bytes that keep a fast NIC busy until this process gives it more.
  [[nodiscard]] static std::size_t enough_for(double bytes_per_second) {
    constexpr double seconds_between_looks = 100e-6, most = 1 << 30;
    const double bytes = std::min(bytes_per_second * seconds_between_looks, most);
    return std::max(max_piece_bytes, static_cast<std::size_t>(bytes));
  }

  const int number_;
  const double rate_;
  std::size_t writes_ = 0, bytes_under_way_ = 0;
  Pace pace_;
  const std::size_t enough_to_do_;
};

}  // namespace espalier
