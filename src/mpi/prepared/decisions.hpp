// SPDX-License-Identifier: Apache-2.0
// What is decided for the calls of one communicator. Most decisions are made once for all and are not kept here: those
// that change while the program runs are, one for each context. All ranks see the same calls, so they keep the same
// ones and ask them at the same calls.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "core/context_key.hpp"
#include "mpi/job/measured_story.hpp"
#include "policy/selector.hpp"
#include "transport/mpi/notes.hpp"

namespace espalier {

// A rank, and how it tells the others of its calls.
struct Teller {
  Notes* notes = nullptr;  // null: nobody is told
  Rank me = 0;
};

class ChangingDecision {
 public:
  // `number`: which of the communicator's.
  ChangingDecision(const ContextKey& key, Decision decision, const Teller& teller = {}, std::uint64_t number = 0)
      : context_(key), decision_(std::move(decision)), teller_(teller), context_number_(number) {}

  // At each call of the context, on all ranks alike.
  const Ruling& next();
  // Before a call that all ranks take part in (Policy::numbers_to_share()).
  [[nodiscard]] std::span<double> numbers_to_share() {
    return is_over() ? decision_.numbers_to_share(ordinal_) : std::span<double>{};
  }
  void take_sums() { decision_.take_sums(); }
  // The same of numbers that are the root's, after what it hears.
  [[nodiscard]] bool wants_to_hear() { return is_over() && decision_.wants_to_hear(ordinal_); }
  // On the root alone.
  [[nodiscard]] bool waits_to_hear() { return teller_.me == root() && decision_.waits_to_hear(); }
  [[nodiscard]] std::span<double> numbers_of_root() {
    return is_over() ? decision_.numbers_of_root(ordinal_) : std::span<double>{};
  }
  [[nodiscard]] Rank root() const { return context_.root; }
  [[nodiscard]] Choice way_from_root() { return decision_.way_from_root(); }
  void take_numbers_of_root() { decision_.take_numbers_of_root(); }
  // Whether the next call has to ask.
  [[nodiscard]] bool is_over() const { return ordinal_ >= end_; }
  // The ruling holds until that call. What was prepared under it may be used as long as the next call comes before it,
  // and each such call is counted: no more is to be done for them.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] bool comes_before(std::uint64_t end) const { return ordinal_ < end; }
  void count() { ++ordinal_; }
  [[nodiscard]] bool wants_seconds() const { return ruling_.wants_seconds; }
  // Of the call that came last. What the root shall hear of it goes there.
  void observe(std::size_t bytes, const CallTimes& times) noexcept;
  void hear(const Note& note) { decision_.hear(static_cast<Rank>(note.from), note.ordinal, note.told); }
  [[nodiscard]] bool has_given_up() const { return decision_.has_given_up(); }
  [[nodiscard]] std::uint64_t context_number() const { return context_number_; }
  [[nodiscard]] std::optional<ContextStory> story() const { return decision_.story(ordinal_); }
  // For the report alone, which wants to know of every call.
  void measure(Clock::duration taken) { measured_.add(taken); }
  [[nodiscard]] const MeasuredCalls& measured() const { return measured_; }

 private:
  const ContextKey context_;
  Decision decision_;
  const Teller teller_;
  const std::uint64_t context_number_;
  Ruling ruling_;
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  std::uint64_t ordinal_ = 0, end_ = 0;  // of the next call, and of the first one after the ruling
  MeasuredCalls measured_;
};

class Decisions {
 public:
  explicit Decisions(const Teller& teller = {}) : teller_(teller) {}

  // What holds for a call, or the decision that is to be asked.
  struct Found {
    Choice choice;
    ChangingDecision* changing = nullptr;  // null: the choice holds for ever
  };
  // Once for each call that was not remembered.
  [[nodiscard]] Found find(const Selector& selector, const Problem& problem, const Shape& shape);
  void clear() { by_context_.clear(), changing_.clear(); }
  void read(const Note& note) noexcept;
  // Takes in what other ranks have told this one; may wait a little for those who told of `decision`.
  void hear(ChangingDecision& decision);
  [[nodiscard]] std::vector<MeasuredStory> stories() const;

 private:
  // Beyond so many contexts calls go to the native MPI, on all ranks alike.
  static constexpr std::size_t max_contexts = 1024;

  void take_notes();

  const Teller teller_;
  double patience_ = 1;  // seconds, with whoever has not told, in all
  std::uint64_t created_ = 0;
  std::vector<std::unique_ptr<ChangingDecision>> changing_;  // as they were created
  struct Hash {
    std::size_t operator()(const ContextKey& key) const { return hash_of(key); }
  };
  std::unordered_map<ContextKey, ChangingDecision*, Hash> by_context_;
};

inline const Ruling& ChangingDecision::next() {
  if (is_over()) {
    ruling_ = decision_.look(ordinal_);
    end_ = ruling_.calls == 0 ? never : ordinal_ + ruling_.calls;
  }
  count();
  return ruling_;
}

}  // namespace espalier
