// SPDX-License-Identifier: Apache-2.0
// A tuner at work on candidates whose times are given, by a clock that is simulated.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tuning/normal.hpp"
#include "tuning/tuner.hpp"

namespace espalier::tuning {

class Context {
 public:
  // Seconds of a candidate's call; calls are counted from 0.
  using SecondsOf = std::function<double(int candidate, int call)>;

  Context(Tuner& tuner, SecondsOf seconds_of, double noise_sd = .05, std::uint64_t seed = 1)
      : tuner_(tuner), seconds_of_(std::move(seconds_of)), noise_sd_(noise_sd), normal_(seed) {}

  // To the end of the block with this call.
  void run_until(int calls) {
    while (calls_ < calls) run_block();
  }
  void run_block() {
    std::vector<double> timed;
    for (std::size_t i = 0; i < tuner_.plan().rest; ++i) {
      spent_ += seconds_of_(tuner_.plan().incumbent, calls_++);
      ran.push_back(tuner_.plan().incumbent);
    }
    for (const int a : tuner_.plan().calls) {
      const double seconds = seconds_of_(a, calls_++);
      spent_ += seconds;
      timed.push_back(seconds * std::exp(noise_sd_ * normal_()));
      ran.push_back(a);
    }
    if (tuner_.plan().permanently) return;
    spent_ += overhead;
    tuner_.learn({timed, overhead});
  }

  [[nodiscard]] int calls() const { return calls_; }
  [[nodiscard]] double spent() const { return spent_; }
  [[nodiscard]] int times(int candidate) const { return static_cast<int>(std::ranges::count(ran, candidate)); }

  std::vector<int> ran;
  double overhead = 0;  // seconds that an agreement takes

 private:
  Tuner& tuner_;
  SecondsOf seconds_of_;
  double noise_sd_;
  Normal normal_;
  int calls_ = 0;
  double spent_ = 0;
};

}  // namespace espalier::tuning
