// SPDX-License-Identifier: Apache-2.0
// A decision that changes while the program runs: a policy, the calls of its context, and what holds for the next ones.
// All ranks see the same calls, so they ask the same at the same calls.
#pragma once

#include <memory>

#include "core/context_key.hpp"
#include "policy/policy.hpp"
#include "report/statistics.hpp"
#include "transport/mpi/notes.hpp"

namespace espalier {

// A rank, and how it reports its calls to others.
struct Reporter {
  Notes* notes = nullptr;  // null: nobody receives reports
  Rank me = 0;
};

// What was said of a decision last.
struct ToldChoice {
  int incumbent = -1;
  std::string_view state;
  std::size_t arrangements = 0;
  double saved_seconds = 0;
};

class Decision {
 public:
  // `number`: which of the communicator's.
  Decision(const ContextKey& key, std::unique_ptr<Policy> policy, const Reporter& reporter = {},
           std::uint64_t number = 0)
      : context_(key), policy_(std::move(policy)), reporter_(reporter), context_number_(number) {}

  // At each call of the context, on all ranks alike, what is run: the call is counted.
  const RunCalls& next();
  // The same where all ranks take part in the call: the next step, which may be that they exchange something first.
  [[nodiscard]] PolicyStep next(Asked asked);
  void take(const PolicyResult& result) { policy_->take(result); }
  [[nodiscard]] Rank root() const { return context_.root; }

  // What runs holds until that call. What was prepared for it may be used as long as the next call comes before it, and
  // each such call is counted: no more is to be done for them.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  [[nodiscard]] std::uint64_t& counter() { return ordinal_; }
  void count() { ++ordinal_; }

  [[nodiscard]] bool is_timed() const { return run_.is_timed; }
  // Of the call that arrived last. What the root is to receive of it goes there.
  void note(std::size_t bytes, const CallTimes& times) noexcept;
  // From another rank, or this one.
  void receive(const Note& note);
  // The last of the reports of which this rank said that they follow goes to the root.
  void end_reports() noexcept;
  // There will be no more calls.
  void finish() noexcept;

  [[nodiscard]] std::optional<ContextStory> story() const { return policy_->story(ordinal_); }
  // How much more this rank has saved, as is believed now, than when this was last asked; seconds, less what was lost.
  [[nodiscard]] double newly_saved();
  [[nodiscard]] ToldChoice& told() { return told_; }
  // For the report alone, which wants to know of every call.
  void measure(Clock::duration taken) { measured_.add(taken); }
  [[nodiscard]] const MeasuredCalls& measured() const { return measured_; }

 private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};

  // Whether the policy is to be asked before the next call.
  [[nodiscard]] bool is_over() const { return ordinal_ >= end_; }
  void hold(RunCalls run);
  [[nodiscard]] Note note_of(const CallReport& report) const;

  const ContextKey context_;
  const std::unique_ptr<Policy> policy_;
  const Reporter reporter_;
  const std::uint64_t context_number_;
  bool others_follow_ = false;  // on the root: each note says whether another one of its rank's comes
  RunCalls run_;
  std::uint64_t ordinal_ = 0, end_ = 0;  // of the next call, and of the first one after what runs
  MeasuredCalls measured_;
  ToldChoice told_;
};

inline void Decision::hold(RunCalls run) {
  run_ = std::move(run);
  end_ = run_.calls == 0 ? never : ordinal_ + run_.calls;
}

inline const RunCalls& Decision::next() {
  if (is_over()) hold(policy_->run(ordinal_));
  count();
  return run_;
}

}  // namespace espalier
