// SPDX-License-Identifier: Apache-2.0
// Some timings of a candidate, from all of the job: each at first, then every second one, every fourth, and so on.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace espalier {

class SampledTimes {
 public:
  struct Quartiles {
    double low = 0, median = 0, high = 0;
  };

  void note(double seconds) {
    if (count_++ % stride_ != 0) return;
    if (size_ == seconds_.size()) halve();
    seconds_[size_++] = static_cast<float>(seconds);
  }

  // Of all that were noted.
  [[nodiscard]] std::uint64_t count() const { return count_; }

  // Of at least one.
  [[nodiscard]] Quartiles quartiles() const {
    std::array<float, 16> sorted = seconds_;
    std::ranges::sort(std::span(sorted).first(size_));
    return {sorted[size_ / 4], sorted[size_ / 2], sorted[size_ * 3 / 4]};
  }

 private:
  void halve() {
    for (std::size_t i = 0; i < seconds_.size() / 2; ++i) seconds_[i] = seconds_[2 * i];
    size_ = seconds_.size() / 2;
    stride_ *= 2;
  }

  std::array<float, 16> seconds_{};
  std::size_t size_ = 0;
  std::uint64_t count_ = 0, stride_ = 1;
};

}  // namespace espalier
