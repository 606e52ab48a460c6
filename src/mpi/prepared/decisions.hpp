// SPDX-License-Identifier: Apache-2.0
// What is decided for the calls of one communicator. Most is so once for all and is not kept here: decisions that
// change while the program runs are, one for each context.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "mpi/job/measured_story.hpp"
#include "mpi/prepared/decision.hpp"
#include "policy/selection/selector.hpp"

namespace espalier {

class Decisions {
 public:
  explicit Decisions(const Reporter& reporter = {}) : reporter_(reporter) {}

  // What holds for a call, or the decision that is to be asked.
  struct ChoiceOrDecision {
    Choice choice;
    Decision* changing = nullptr;  // null: the choice is permanent
  };
  // Once for each call that was not remembered.
  [[nodiscard]] ChoiceOrDecision find(const Selector& selector, const Problem& problem, const Shape& shape);
  [[nodiscard]] bool empty() const { return changing_.empty(); }
  // Each rank sends what it has said that would follow; there may be more calls.
  void end_reports() noexcept;
  // There will be no more calls: their policies give away what they have learnt.
  void finish() noexcept;
  // Finishes them, too.
  void clear();

  void read(const Note& note) noexcept;
  // Takes in what other ranks have reported to this one; may wait a little until there is more.
  [[nodiscard]] NotesRead read_notes(const ReadNotes& step);
  [[nodiscard]] std::vector<MeasuredStory> stories() const;

 private:
  // Beyond this many contexts calls go to the native MPI, on all ranks alike.
  static constexpr std::size_t max_contexts = 1024;

  const Reporter reporter_;
  double patience_ = 1;  // seconds, with ranks that have not reported, in all
  std::uint64_t created_ = 0;
  std::vector<std::unique_ptr<Decision>> changing_;  // as they were created
  struct ContextHash {
    std::size_t operator()(const ContextKey& key) const { return hash_of(key); }
  };
  std::unordered_map<ContextKey, Decision*, ContextHash> by_context_;
};

}  // namespace espalier
