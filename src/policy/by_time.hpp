// SPDX-License-Identifier: Apache-2.0
// What is decided by how long calls take: a tuner chooses among the alternatives while the program runs.
//
// The first calls of a context run what would be done without: most contexts have few. When some have come, the ranks
// agree on how long one takes, and so on when the time has come to look for alternatives: that takes some time itself.
// What other communicators of like placement have learnt meanwhile is used if all ranks have learnt the same.
// Then the tuner's plans are followed, block by block. After each block the ranks agree on what its calls took, at the
// next call in which all of them take part; until then the incumbent runs.
#pragma once

#include <limits>
#include <memory>

#include "memory/memory.hpp"
#include "policy/decision.hpp"
#include "policy/known.hpp"
#include "policy/overlap.hpp"
#include "policy/record.hpp"
#include "select/alternatives.hpp"
#include "tuning/tuner.hpp"

namespace espalier {

class ByTime final : public Policy {
 public:
  // `settings.policy`: which tuner. What `shape` points to must outlive this. `memory`: to which it gives in the end
  // what it has learnt; may be null. `hears_who_is_late`: by rearranged(), soon after the ranks have met.
  ByTime(const Problem& problem, const Shape& shape, Start start, const TuningSettings& settings,
         std::shared_ptr<Memory> memory = nullptr, bool hears_who_is_late = false);
  ~ByTime() override;

  [[nodiscard]] Ruling look(std::uint64_t ordinal) override;
  [[nodiscard]] std::span<double> numbers_to_share(std::uint64_t ordinal) override;
  void take_sums() override;
  void observe(std::uint64_t ordinal, std::size_t bytes, const CallTimes& times) override;
  void rearranged(std::uint64_t ordinal, Arranger& arranger) override;
  [[nodiscard]] bool has_given_up() const override { return given_up_ != nullptr; }
  [[nodiscard]] std::optional<ContextStory> story(std::uint64_t calls) const override;

  // What is known by now; null before there is anything.
  [[nodiscard]] const tuning::Tuner* tuner() const { return tuner_.get(); }
  [[nodiscard]] const std::vector<Alternative>& alternatives() const { return alternatives_; }

 private:
  void find_alternatives(std::uint64_t ordinal);
  void begin_race(std::uint64_t ordinal, int first, double room);
  void look_at_arrivals(const std::vector<KnownChoice>& known);
  [[nodiscard]] std::vector<KnownChoice> opinions() const;
  void begin_block(std::uint64_t ordinal, std::size_t rest, std::size_t timed);
  [[nodiscard]] bool begins_run(std::uint64_t ordinal) const;
  void note_sharing(double seconds);
  void take_meeting(double seconds, double least);
  [[nodiscard]] bool is_over(std::uint64_t ordinal) const { return waits_for_sums_ && ordinal >= block_end_; }
  [[nodiscard]] Ruling ruling_before(std::uint64_t ordinal) const;
  [[nodiscard]] Ruling ruling_by(const tuning::Plan& plan, std::size_t place) const;
  void look_what_was_learnt();
  void take_what_was_learnt();
  void take_time_of_usual();
  void take_block();
  [[nodiscard]] int place_of_usual() const;
  [[nodiscard]] const char* state_in_words() const;
  [[nodiscard]] ContextMemory what_was_learnt() const;
  [[nodiscard]] Choice choice_of(int alternative) const;
  [[nodiscard]] double state() const;
  [[nodiscard]] bool all_had_one(std::span<const double> numbers, std::size_t number) const;
  void tell_others();
  [[nodiscard]] double of_usual_size(double seconds, std::size_t bytes) const;
  void give_up();

  static constexpr double not_known = std::numeric_limits<double>::infinity();
  // Of the numbers that ranks share: for the first two, which all must have alike, their squares stand behind them.
  static constexpr std::size_t state_hash = 0, learnt_hash = 2, beside = 4, first_call = 5;

  const Problem problem_;
  const Shape shape_;
  Start start_;
  const TuningSettings settings_;
  const std::shared_ptr<Memory> memory_;
  std::vector<Alternative> alternatives_;
  Arranger* arranger_ = nullptr;  // once it has given orders
  double usual_seconds_ = 0;      // that a call took at first
  std::unique_ptr<tuning::Tuner> tuner_;
  // Of the calls that are timed, and the first one after those that the plan speaks of.
  std::uint64_t block_begin_ = 0, timed_begin_ = 0, block_end_ = 0;
  bool waits_for_sums_ = true;
  std::uint64_t search_at_ = 0;  // for alternatives; 0: it is not known yet
  std::optional<ContextMemory> learnt_elsewhere_;
  std::vector<double> numbers_;  // to share
  const bool calls_overlap_, hears_who_is_late_, ranks_depend_on_all_;
  Meetings meetings_;
  static constexpr std::uint64_t no_call = ~std::uint64_t{0};
  std::uint64_t meets_before_ = no_call;  // call: while the ranks meet
  std::vector<double> meeting_numbers_;
  double shared_at_ = 0;
  double least_call_seconds_ = not_known;  // of those that this rank timed
  double sharing_seconds_ = not_known;     // at least
  double waited_seconds_ = 0;              // beyond that, since the last agreement
  double beside_seconds_ = 0;
  const char* given_up_ = nullptr;  // for this reason; null: not
  Record record_;
};

}  // namespace espalier
