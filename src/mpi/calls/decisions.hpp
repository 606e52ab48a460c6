// SPDX-License-Identifier: Apache-2.0
// What is decided for the calls of one communicator. Most decisions are made once for all and are not kept here: those
// that change while the program runs are, one for each context. All ranks see the same calls, so they keep the same
// ones and ask them at the same calls.
#pragma once

#include <memory>
#include <vector>

#include "memory/context_key.hpp"
#include "select/selector.hpp"

namespace espalier {

class ChangingDecision {
 public:
  ChangingDecision(const ContextKey& context, Decision decision) : context_(context), decision_(std::move(decision)) {}

  [[nodiscard]] const ContextKey& context() const { return context_; }
  // At each call of the context, on all ranks alike.
  const Ruling& next();
  // Before a call that all ranks take part in (Policy::numbers_to_share()).
  [[nodiscard]] std::span<double> numbers_to_share() {
    return is_over() ? decision_.numbers_to_share(ordinal_) : std::span<double>{};
  }
  void take_sums() { decision_.take_sums(); }
  // The number of the ruling that holds: what was prepared under another one is out of date.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  // Whether the next call has to ask.
  [[nodiscard]] bool is_over() const { return calls_left_ == 0; }
  [[nodiscard]] bool wants_seconds() const { return ruling_.wants_seconds; }
  // Of the call that came last.
  void observe(std::size_t bytes, double seconds) { decision_.observe(ordinal_ - 1, bytes, seconds); }
  [[nodiscard]] std::optional<ContextStory> story() const { return decision_.story(ordinal_); }

 private:
  const ContextKey context_;
  Decision decision_;
  Ruling ruling_;
  std::uint64_t ordinal_ = 0, number_ = 0, calls_left_ = 0;
};

class Decisions {
 public:
  // What holds for a call, or the decision that is to be asked.
  struct Found {
    Choice choice;
    ChangingDecision* changing = nullptr;  // null: the choice holds for ever
  };
  // Once for each call that was not remembered.
  [[nodiscard]] Found find(const Selector& selector, const Problem& problem, const Shape& shape);
  void clear() { changing_.clear(); }
  [[nodiscard]] std::vector<ContextStory> stories() const;

 private:
  // Beyond so many contexts calls go to the native MPI, on all ranks alike.
  static constexpr std::size_t max_contexts = 1024;

  std::vector<std::unique_ptr<ChangingDecision>> changing_;
};

inline const Ruling& ChangingDecision::next() {
  if (calls_left_ == 0) {
    ruling_ = decision_.look(ordinal_);
    calls_left_ = ruling_.calls == 0 ? ~std::uint64_t{0} : ruling_.calls;
    ++number_;
  }
  --calls_left_;
  ++ordinal_;
  return ruling_;
}

}  // namespace espalier
