// SPDX-License-Identifier: Apache-2.0
// What happened in a context that is chosen by time: for reports, and for the memory.
#pragma once

#include <span>

#include "policy/measured/sampled_times.hpp"
#include "policy/story.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

// Those of a block: from the first one to before `end`. `run`: how many each of the plan stands for.
struct CallsOfBlock {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t run = 1;
};
struct OverheadOfBlock {
  double each_time = 0, once = 0;
};

class Record {
 public:
  // `calls`: that `baseline` has run before there was anything to choose from.
  void begin(std::size_t candidates, int baseline, double calls);
  // There are more candidates now, behind those that there were.
  void extend(std::size_t candidates) { counts_.resize(candidates); }
  // First the incumbent's, then those of the plan, which took so long.
  void note_block(const tuning::Plan& plan, const CallsOfBlock& calls, std::span<const double> seconds);
  // Keeps what the block said, too, if there is room.
  void log_block(const tuning::Plan& plan, const CallsOfBlock& calls, std::span<const double> seconds,
                 const OverheadOfBlock& overhead);
  // It took so long, apart from `waiting` for ranks that arrived later.
  void note_agreement(double seconds, double waiting);

  [[nodiscard]] std::size_t candidates() const { return counts_.size(); }
  [[nodiscard]] double calls_of(int candidate) const { return counts_[tuning::index_of(candidate)].calls; }
  [[nodiscard]] double timed_of(int candidate) const { return static_cast<double>(times_of(candidate).count()); }
  [[nodiscard]] const SampledTimes& times_of(int candidate) const { return counts_[tuning::index_of(candidate)].times; }
  [[nodiscard]] double calls() const;
  [[nodiscard]] std::uint64_t agreements() const { return agreements_; }
  [[nodiscard]] double agreement_seconds() const { return agreement_seconds_; }
  [[nodiscard]] double waiting_seconds() const { return waiting_seconds_; }
  [[nodiscard]] const std::vector<BlockStory>& blocks() const { return blocks_; }

 private:
  struct Count {
    double calls = 0;
    SampledTimes times;
  };
  std::vector<Count> counts_;  // of each candidate
  std::uint64_t agreements_ = 0;
  double agreement_seconds_ = 0, waiting_seconds_ = 0;
  std::vector<BlockStory> blocks_;
};

}  // namespace espalier
