// SPDX-License-Identifier: Apache-2.0
// STAR-MPI (paper 5): learning, then monitoring. In monitoring the winner's time is compared now and then with what it
// was when it won; if it is much more twice in a row, learning starts again.
#pragma once

#include "tuning/in_turn.hpp"

namespace espalier::tuning {

struct Monitoring {
  int first_period = 32;  // calls; it doubles while nothing changes
  int max_period = 2048;
  double bar = 1.1;  // times what it was
};

class Star : public InTurn {
 public:
  explicit Star(int candidates, const TimingRounds& rounds = rounds_of_star, const Monitoring& monitoring = {});

  void learn(const Timings& timings) override;

 private:
  void decided(int best, double seconds) override;
  void monitor();

  const Monitoring monitoring_;
  double won_with_ = 0;
  int period_ = 0, times_worse_ = 0;
};

}  // namespace espalier::tuning
