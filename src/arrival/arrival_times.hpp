// SPDX-License-Identifier: Apache-2.0
// When each rank arrives at a broadcast, as far as that recurs: relative to the root, smoothed.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier::arrival {

class ArrivalTimes {
 public:
  // `grain`: seconds; a step by more, beyond what is normal for the rank, begins again.
  ArrivalTimes(Rank size, Rank root, double grain);

  // Of one broadcast, by rank, by one clock.
  void note(std::span<const double> arrivals);
  // By rank; the root's is 0.
  [[nodiscard]] std::span<const double> mean_arrivals() const { return mean_arrivals_; }
  // Whether some rank arrived last otherwise than it usually does: by more than the grain, and than is normal for it.
  [[nodiscard]] bool is_surprised() const;
  // As they were noted last.
  [[nodiscard]] std::span<const double> latest() const { return last_[2]; }

 private:
  void follow(std::size_t rank);
  [[nodiscard]] bool is_step(std::size_t rank, double arrival) const;

  const Rank root_;
  const double grain_;
  int count_ = 0;
  std::array<std::vector<double>, 3> last_;
  std::vector<double> mean_arrivals_, deviation_;
};

}  // namespace espalier::arrival
