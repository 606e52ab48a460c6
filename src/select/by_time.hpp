// SPDX-License-Identifier: Apache-2.0
// What is decided by how long calls take: a tuner chooses among the alternatives while the program runs.
//
// The first calls of a context run what would be done without: most contexts have few. Then the tuner's plans are
// followed, block by block. After each block the ranks agree on what its calls took, at the next call in which all of
// them take part; until then the incumbent runs.
#pragma once

#include <array>
#include <memory>

#include "select/decision.hpp"
#include "select/alternatives.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

class ByTime final : public Policy {
 public:
  // `policy`: which tuner. What `shape` points to must outlive this. `usual`: what is done without tuning.
  ByTime(const Problem& problem, const Shape& shape, const Choice& usual, const TuningSettings& settings);

  [[nodiscard]] Ruling look(std::uint64_t ordinal) override;
  [[nodiscard]] Question question(std::uint64_t ordinal) override;
  void take_answer() override;
  void observe(std::uint64_t ordinal, std::size_t bytes, double seconds) override;

  // What is known by now; null before there is anything.
  [[nodiscard]] const tuning::Tuner* tuner() const { return tuner_.get(); }
  [[nodiscard]] const std::vector<Alternative>& alternatives() const { return alternatives_; }

 private:
  void begin(std::uint64_t ordinal);
  void begin_block(std::uint64_t ordinal);
  [[nodiscard]] bool is_over(std::uint64_t ordinal) const;
  [[nodiscard]] Ruling ruling_at(std::size_t place) const;
  [[nodiscard]] const Choice& choice_of(int alternative) const;
  [[nodiscard]] double state() const;
  [[nodiscard]] bool all_had_this_state(std::span<const double> state) const;
  [[nodiscard]] double of_usual_size(double seconds, std::size_t bytes) const;
  void give_up();

  // Of the numbers that ranks agree on.
  static constexpr std::size_t state_numbers = 2, beside_number = state_numbers, first_call = beside_number + 1;

  const Problem problem_;
  const Shape shape_;
  const Choice usual_;
  const TuningSettings settings_;
  std::vector<Alternative> alternatives_;
  std::unique_ptr<tuning::Tuner> tuner_;
  std::uint64_t block_begin_ = 0, next_block_ = 0;
  std::vector<double> numbers_;  // to agree on: the state, what was spent beside, what the calls of the block took
  double beside_seconds_ = 0;
  double asked_at_ = 0;
  const char* given_up_ = nullptr;  // for this reason; null: not
};

}  // namespace espalier
