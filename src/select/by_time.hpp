// SPDX-License-Identifier: Apache-2.0
// What is decided by how long calls take: a tuner chooses among the alternatives while the program runs.
//
// The first calls of a context run what would be done without: most contexts have few. When some have come, the ranks
// agree on how long one takes, and so on when the time has come to look for alternatives: that takes some time itself.
// Then the tuner's plans are followed, block by block. After each block the ranks agree on what its calls took, at the
// next call in which all of them take part; until then the incumbent runs.
#pragma once

#include <memory>

#include "select/alternatives.hpp"
#include "select/decision.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

class ByTime final : public Policy {
 public:
  // `policy`: which tuner. What `shape` points to must outlive this. `usual`: what is done without tuning.
  ByTime(const Problem& problem, const Shape& shape, const Choice& usual, const TuningSettings& settings);

  [[nodiscard]] Ruling look(std::uint64_t ordinal) override;
  [[nodiscard]] std::span<double> numbers_to_share(std::uint64_t ordinal) override;
  void take_sums() override;
  void observe(std::uint64_t ordinal, std::size_t bytes, double seconds) override;

  // What is known by now; null before there is anything.
  [[nodiscard]] const tuning::Tuner* tuner() const { return tuner_.get(); }
  [[nodiscard]] const std::vector<Alternative>& alternatives() const { return alternatives_; }

 private:
  void find_alternatives(std::uint64_t ordinal);
  void begin_block(std::uint64_t ordinal, std::size_t timed, std::size_t rest);
  [[nodiscard]] bool is_over(std::uint64_t ordinal) const { return waits_for_sums_ && ordinal >= block_end_; }
  [[nodiscard]] Ruling ruling_before(std::uint64_t ordinal) const;
  [[nodiscard]] Ruling ruling_by(const tuning::Plan& plan, std::size_t place) const;
  void take_time_of_usual();
  void take_block();
  [[nodiscard]] Choice choice_of(int alternative) const;
  [[nodiscard]] double state() const;
  [[nodiscard]] bool all_had_one_state() const;
  [[nodiscard]] double of_usual_size(double seconds, std::size_t bytes) const;
  void give_up();

  // Of the numbers that ranks share.
  static constexpr std::size_t beside = 2, first_call = 3;  // after two for the state

  const Problem problem_;
  const Shape shape_;
  const Choice usual_;
  const TuningSettings settings_;
  std::vector<Alternative> alternatives_;
  std::unique_ptr<tuning::Tuner> tuner_;
  // Of the calls that are timed, and the first one after those that the plan speaks of.
  std::uint64_t block_begin_ = 0, block_end_ = 0;
  bool waits_for_sums_ = true;
  std::uint64_t search_at_ = 0;  // for alternatives; 0: it is not known yet
  std::vector<double> numbers_;  // to share: the state, what was spent beside, what the calls of the block took
  double shared_at_ = 0;
  double sharing_seconds_ = 1;  // at least
  double beside_seconds_ = 0;
  const char* given_up_ = nullptr;  // for this reason; null: not
};

}  // namespace espalier
