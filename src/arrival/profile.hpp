// SPDX-License-Identifier: Apache-2.0
// What a rank knows of how long it waits: smoothed, and reported only when it has changed. (Paper 4, section 4.1.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace espalier::arrival {

enum class Smoothing : std::uint8_t {
  weighted,        // new = ((2^weight - 1) * old + wait) / 2^weight, as in the paper's benchmarks (a) and (b)
  three_in_a_row,  // the same, but of three that are about equal their mean, as in (c)
};

struct ProfileSettings {
  Smoothing smoothing = Smoothing::weighted;
  int weight = 1;         // how much the past counts
  double threshold = .5;  // of what was reported last: by so much it must have changed
  double like = .0625;    // three in a row that differ by no more are about equal
};

class Profile {
 public:
  explicit Profile(const ProfileSettings& settings) : settings_(settings) {}

  // After a broadcast, in which the rank waited so long. Seconds.
  void note(double waited);
  // Ranks have changed places: what was before says nothing of what comes, and the next wait is news in any case.
  // (Beyond the paper, where a good exchange may be judged by waits of before, and undone.)
  void restart();
  // What is to be reported now, if anything: it counts as reported.
  [[nodiscard]] std::optional<double> news();
  [[nodiscard]] double reported() const { return reported_; }

 private:
  const ProfileSettings settings_;
  int count_ = 0;
  std::array<double, 3> last_{};
  double smoothed_ = 0, reported_ = 0;
  bool has_restarted_ = false;
};

}  // namespace espalier::arrival
