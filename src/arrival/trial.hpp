// SPDX-License-Identifier: Apache-2.0
// Whether an arrangement pays where it was made: by what calls take, not by what the model says of them. (Paper 4,
// section 4.2: an exchange after which the ranks wait longer is undone.)
#pragma once

#include <array>

#include "arrival/wave/wave.hpp"

namespace espalier::arrival {

// What a call took: seconds, from the first entry to the last exit, and in the call, mean over the ranks.
struct Taken {
  double overall = 0, mean = 0;
};

// Gains as shares of the time: half of the overall one, half of the mean.
[[nodiscard]] double gain_of(const Taken& before, const Taken& after);

class ArrangementTrial {
 public:
  // Another arrangement is tried from the next call on.
  void begin();
  [[nodiscard]] bool is_under_way() const { return left_ > 0; }
  // Of a call: what it took, and what the model says that it takes as the ranks were arranged before, or if nothing is
  // under way, as they are: how far the model is off is known from those. Returns whether it has turned out not to pay.
  [[nodiscard]] bool note(const Taken& taken, const Wave& without);

 private:
  std::array<Taken, 3> off_{};  // times the model's
  int known_ = 0;               // of these
  Taken mean_error_{};
  int left_ = 0;  // calls, until it is over
  double gained_ = 0;
};

}  // namespace espalier::arrival
