// SPDX-License-Identifier: Apache-2.0
// Notices when the incumbent has become slower: a cumulative sum of clipped residuals against a reference that follows
// slowly (CUSUM), so that no single spike can raise an alarm.
#pragma once

#include "tuning/evidence/assumptions.hpp"

namespace espalier::tuning {

class ChangeDetector {
 public:
  explicit ChangeDetector(const Assumptions& assumptions);

  // Another incumbent: begin again.
  void watch(int incumbent);
  [[nodiscard]] int watched() const { return incumbent_; }
  [[nodiscard]] bool is_suspicious() const { return sum_ > 0; }
  void forget_suspicion() { sum_ = 0; }

  // A timing of the incumbent; `expected`: of its log, and `noise_sd` of that. Returns by how much the log has moved,
  // if it has; 0 if not.
  [[nodiscard]] double note(double log_seconds, double expected, double noise_sd);

 private:
  void follow(double log_seconds, double expected, double noise_sd);
  [[nodiscard]] double take_shift();

  double slack_, bar_;
  int incumbent_ = -1;
  int timings_ = 0;
  double reference_ = 0;
  double sum_ = 0;                          // how much is too slow by now, in standard deviations
  double suspicious_ = 0, deviations_ = 0;  // timings since the suspicion arose, and how far off all of them were
  double sd_, latest_sd_;                   // of the noise: as it was before the suspicion, and now
};

}  // namespace espalier::tuning
