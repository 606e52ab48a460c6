// SPDX-License-Identifier: Apache-2.0
// A communicator in simulated time, each of whose ranks asks a policy of its own.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "arrival/trees.hpp"
#include "arrival/wave/wave.hpp"
#include "policy/policy.hpp"

namespace espalier {

inline const Problem whole_broadcast{.collective = Collective::bcast, .count = 1 << 20};

inline Choice whole_binomial() {
  return {.algorithm = find_algorithm(Collective::bcast, "knomial"),
          .cut = {.segment_bytes = 0, .window = 1},
          .by_arrival = true};
}

// What decides on a rank.
using Maker = std::function<std::unique_ptr<Policy>(const Shape& shape)>;

// The ranks of a communicator, each with a decision of its own; rank 0 is the root. What ranks report to it
// arrives some calls later.
class PolicyJob {
 public:
  PolicyJob(Rank size, const Maker& make, int lag = 1, const Problem& problem = whole_broadcast,
            const arrival::Transfer& transfer = {.seconds = .1, .busy_seconds = .1})
      : size_(size), lag_(lag), problem_(problem), transfer_(transfer) {
    for (Rank rank = 0; rank < size; ++rank) ranks_.push_back(make(Shape{size}));
    left_.resize(static_cast<std::size_t>(size));
    runs_.resize(left_.size());
  }

  // How long the call took, mean over the ranks. `is_blocking`: all take part at once.
  double call(std::span<const double> delays, bool is_blocking = true) {
    if (left_[0] == 0) is_blocking ? agree() : ask(Asked::alone);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      EXPECT_EQ(left_[rank], left_[0]);
      EXPECT_TRUE(runs_[rank].choice == runs_[0].choice) << "rank " << rank << ", call " << ordinal_;
    }
    for (std::uint64_t& left : left_) --left;
    const arrival::Wave wave = played(runs_[0].choice, delays);
    for (Rank rank = 0; rank < size_ && is_blocking; ++rank) report(rank, delays, wave);
    ++ordinal_;
    return wave.mean;
  }

  // How much longer each rank is in a call than the model says, if they are arranged.
  double penalty = 0;

  [[nodiscard]] bool is_arranged() const { return runs_[0].choice.arrangement != nullptr; }
  [[nodiscard]] int changes() const { return changes_; }
  // How many reports went to the root.
  [[nodiscard]] int notes() const { return notes_; }
  // On which the root spoke last.
  [[nodiscard]] const Choice& broadcast_from_root() const { return broadcast_; }
  [[nodiscard]] const Policy& policy(Rank rank) const { return *ranks_[static_cast<std::size_t>(rank)]; }

 private:
  // Whatever the MPI does goes along a binomial tree; all of ours take as long.
  [[nodiscard]] arrival::Wave played(const Choice& choice, std::span<const double> delays) const {
    const arrival::Flow flow = problem_.collective == Collective::bcast    ? arrival::Flow::down
                               : problem_.collective == Collective::reduce ? arrival::Flow::up
                                                                           : arrival::Flow::up_and_down;
    const Arrangement baseline(size_);
    const Arrangement& arranged = choice.arrangement != nullptr ? *choice.arrangement : baseline;
    const auto play_along = [&](const arrival::PlaceTree& tree) {
      arrival::Wave wave = play(tree, arranged, delays, transfer_);
      for (double& left : wave.left) left += arranged.is_baseline() ? 0 : penalty;
      return wave;
    };
    if (choice.native() || choice.algorithm->tree == nullptr) return play_along(arrival::knomial(size_, 0, 2, flow));
    return play_along(
        {size_, 0,
         [&](Rank place) { return choice.algorithm->tree(place, size_, 0, choice.radix).children_farthest_first(); },
         nullptr, flow});
  }

  void agree() {
    ask(Asked::together);
    while (!std::holds_alternative<RunCalls>(steps_[0])) {
      std::visit([this](const auto& step) { exchange(step); }, steps_[0]);
      ask(Asked::again);
    }
  }

  // Of all ranks the same.
  void ask(Asked asked) {
    steps_.clear();
    for (const auto& rank : ranks_) steps_.push_back(rank->next(ordinal_, asked));
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      ASSERT_EQ(steps_[rank].index(), steps_[0].index());
      const auto* run = std::get_if<RunCalls>(&steps_[rank]);
      if (run == nullptr) continue;
      runs_[rank] = *run;
      left_[rank] = run->calls == 0 ? ~std::uint64_t{0} : run->calls;
    }
  }

  void exchange(const RunCalls& /*run*/) {}
  void exchange(const Diverged& /*diverged*/) { FAIL(); }

  void exchange(const SumOverRanks& first) {
    for (std::size_t rank = 0; rank < steps_.size(); ++rank) {
      const auto& step = std::get<SumOverRanks>(steps_[rank]);
      if (step.work != nullptr) step.work->do_part(static_cast<Rank>(rank), size_);
    }
    for (std::size_t i = 0; i < first.numbers.size(); ++i) {
      double sum = 0;
      for (const PolicyStep& step : steps_) sum += std::get<SumOverRanks>(step).numbers[i];
      for (const PolicyStep& step : steps_) std::get<SumOverRanks>(step).numbers[i] = sum;
    }
    for (const PolicyStep& step : steps_) EXPECT_EQ(std::get<SumOverRanks>(step).numbers.size(), first.numbers.size());
    for (const auto& rank : ranks_) rank->take(Sums{});
  }

  void exchange(const ReadNotes& /*notes*/) {
    for (; !reported_.empty() && reported_.front().ordinal + static_cast<std::uint64_t>(lag_) <= ordinal_;
         reported_.pop_front())
      ranks_[0]->take(reported_.front());
    for (const auto& rank : ranks_) rank->take(NotesRead{});
  }

  void exchange(const ReceiveFromRoot& said) {
    broadcast_ = said.broadcast;
    if (said.numbers.size() > 3) ++changes_;
    for (const PolicyStep& step : steps_) {
      const auto& received = std::get<ReceiveFromRoot>(step);
      ASSERT_EQ(received.numbers.size(), said.numbers.size());
      EXPECT_EQ(received.broadcast.algorithm, said.broadcast.algorithm);
      std::ranges::copy(said.numbers, received.numbers.begin());
    }
    for (const auto& rank : ranks_) rank->take(NumbersOfRoot{});
  }

  void report(Rank rank, std::span<const double> delays, const arrival::Wave& wave) {
    const auto i = static_cast<std::size_t>(rank);
    if (!runs_[i].is_timed) return;
    const double begin = 100.0 * static_cast<double>(ordinal_);
    const auto report = ranks_[i]->take(CallEnded{ordinal_,
                                                  problem_.bytes(),
                                                  {.arrived = begin + delays[i],
                                                   .left = begin + wave.left[i],
                                                   .taken = wave.left[i] - delays[i],
                                                   .waited = wave.waited[i]}});
    if (!report) return;
    notes_ += rank != 0 ? 1 : 0;
    reported_.push_back({rank, ordinal_, *report});
  }

  const Rank size_;
  const int lag_;
  const Problem problem_;
  const arrival::Transfer transfer_;
  std::vector<std::unique_ptr<Policy>> ranks_;
  std::vector<std::uint64_t> left_;
  std::vector<RunCalls> runs_;
  std::vector<PolicyStep> steps_;  // of all ranks, as they are asked for
  Choice broadcast_;
  std::uint64_t ordinal_ = 0;
  std::deque<NoteReceived> reported_;
  int changes_ = 0, notes_ = 0;
};

inline std::vector<double> late(Rank size, Rank rank, double delay) {
  std::vector<double> delays(static_cast<std::size_t>(size));
  delays[static_cast<std::size_t>(rank)] = delay;
  return delays;
}

}  // namespace espalier
