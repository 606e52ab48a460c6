// SPDX-License-Identifier: Apache-2.0
// STAR-MPI (paper 5): learning, then monitoring. In monitoring the winner's time is compared now and then with what was
// learnt; if it is much more twice in a row, learning starts again. The paper leaves open how much that is, and next to
// what. There are two readings: that of STAR's published source (the default here), and the plain one.
#pragma once

#include "tuning/in_turn.hpp"

namespace espalier::tuning {

enum class ComparedWith : std::uint8_t {
  second_best,  // what the next candidate took: as long as the winner is faster, nothing is to be gained
  winner,       // what the winner took itself when it won
};

struct Monitoring {
  int first_period = 32;  // calls; it doubles while nothing changes
  int max_period = 2048;
  double bar = 1.1;  // times that
  ComparedWith compared_with = ComparedWith::second_best;
};

class Star : public InTurn {
 public:
  explicit Star(int candidates, const TimingRounds& rounds = rounds_of_star, const Monitoring& monitoring = {});

  void learn(const Timings& timings) override;

 private:
  void decided(int best, double seconds) override;
  void monitor();

  const Monitoring monitoring_;
  double compared_seconds_ = 0;
  int period_ = 0, times_worse_ = 0;
};

}  // namespace espalier::tuning
