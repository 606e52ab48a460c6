// SPDX-License-Identifier: Apache-2.0
#include "policy/arranged.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <functional>
#include <random>

#include "algorithms/algorithm.hpp"
#include "arrival/trees.hpp"
#include "policy/by_time.hpp"

namespace espalier::arranged_test {
namespace {

using arrival::Method;

constexpr arrival::Transfer transfer{.seconds = .1, .busy_seconds = .1};
const Problem broadcast{.collective = Collective::bcast, .count = 1 << 20};

Choice binomial() {
  return {.algorithm = find_algorithm(Collective::bcast, "knomial"),
          .cut = {.segment_bytes = 0, .window = 1},
          .by_arrival = true};
}

// What decides on a rank.
using Maker = std::function<std::unique_ptr<Policy>(const Shape& shape)>;

Maker forced(Method method) {
  return [=](const Shape& shape) { return std::make_unique<Arranged>(broadcast, shape, binomial(), method, true); };
}

// As it is without any settings.
Maker by_time(const Problem& problem) {
  return [=](const Shape& shape) {
    const TuningSettings settings{.policy = TuningPolicy::race};
    auto inner = std::make_unique<ByTime>(problem, shape, Start{}, settings, nullptr, true);
    return std::make_unique<Arranged>(problem, shape, Selection(std::move(inner)), Method::order, false);
  };
}

// The ranks of a communicator, each with a decision of its own; rank 0 is the root. What ranks report to it
// arrives some calls later.
class Job {
 public:
  Job(Rank size, const Maker& make, int lag = 1, const Problem& problem = broadcast)
      : size_(size), lag_(lag), problem_(problem) {
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
      arrival::Wave wave = play(tree, arranged, delays, transfer);
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
    if (report) reported_.push_back({rank, ordinal_, *report});
  }

  const Rank size_;
  const int lag_;
  const Problem problem_;
  std::vector<std::unique_ptr<Policy>> ranks_;
  std::vector<std::uint64_t> left_;
  std::vector<RunCalls> runs_;
  std::vector<PolicyStep> steps_;  // of all ranks, as they are asked for
  Choice broadcast_;
  std::uint64_t ordinal_ = 0;
  std::deque<NoteReceived> reported_;
  int changes_ = 0;
};

std::vector<double> late(Rank size, Rank rank, double delay) {
  std::vector<double> delays(static_cast<std::size_t>(size));
  delays[static_cast<std::size_t>(rank)] = delay;
  return delays;
}

TEST(Arranged, a_late_rank_holds_up_nobody_for_long) {
  for (const Method method : {Method::order, Method::swap}) {
    Job job(32, forced(method));
    const std::vector<double> delays = late(32, 16, 3);
    const double at_first = job.call(delays);
    for (int i = 0; i < 50; ++i) (void)job.call(delays);
    EXPECT_TRUE(job.is_arranged());
    EXPECT_LT(job.call(delays), at_first / 2);
  }
}

TEST(Arranged, within_five_broadcasts_by_order) {
  Job job(32, forced(Method::order));
  for (int i = 0; i < 6; ++i) (void)job.call(late(32, 16, 3));
  EXPECT_TRUE(job.is_arranged());
  EXPECT_EQ(job.changes(), 1);
}

std::span<double> outline_before(Policy& rank, std::uint64_t ordinal) {
  EXPECT_TRUE(std::holds_alternative<SumOverRanks>(rank.next(ordinal, Asked::together)));  // the clocks begin together
  rank.take(Sums{});
  EXPECT_TRUE(std::holds_alternative<ReadNotes>(rank.next(ordinal, Asked::again)));
  rank.take(NotesRead{});
  return std::get<ReceiveFromRoot>(rank.next(ordinal, Asked::again)).numbers;
}

// A rank that has refused a call of the others' is one call behind.
TEST(Arranged, words_before_another_call_are_refused) {
  const auto root = forced(Method::order)(Shape{4}), behind = forced(Method::order)(Shape{4});
  const std::span<double> said = outline_before(*root, 1), received = outline_before(*behind, 1);
  ASSERT_EQ(said.size(), received.size());
  std::ranges::copy(said, received.begin());
  received.back() += 1;
  EXPECT_THROW(behind->take(NumbersOfRoot{}), std::runtime_error);
}

// What fails in between is begun again by the next call.
TEST(Arranged, begins_again_where_an_exchange_did_not_come_to_its_end) {
  const auto rank = forced(Method::order)(Shape{4});
  (void)outline_before(*rank, 1);
  EXPECT_TRUE(std::holds_alternative<ReadNotes>(rank->next(1, Asked::together)));
  rank->take(NotesRead{});
  EXPECT_TRUE(std::holds_alternative<ReceiveFromRoot>(rank->next(1, Asked::again)));
  rank->take(NumbersOfRoot{});
  EXPECT_TRUE(std::holds_alternative<RunCalls>(rank->next(1, Asked::again)));
}

TEST(Arranged, few_ranks_are_told_by_the_root_itself_until_it_is_known_who_is_late) {
  Job job(32, forced(Method::order));
  for (int i = 0; i < 2; ++i) (void)job.call(late(32, 16, 3));
  EXPECT_EQ(job.broadcast_from_root().algorithm->name, "linear");
  for (int i = 0; i < 10; ++i) (void)job.call(late(32, 16, 3));
  EXPECT_EQ(job.broadcast_from_root().algorithm->name, "knomial");
  EXPECT_NE(job.broadcast_from_root().arrangement, nullptr);
  Job large(65, forced(Method::order));
  for (int i = 0; i < 2; ++i) (void)large.call(late(65, 16, 3));
  EXPECT_EQ(large.broadcast_from_root().algorithm->name, "knomial");
}

TEST(Arranged, tells_of_what_was_forced) {
  Job job(32, forced(Method::order));
  EXPECT_FALSE(job.policy(0).story(0));
  for (int i = 0; i < 10; ++i) (void)job.call(late(32, 16, 3));
  const auto story = job.policy(0).story(10);
  ASSERT_TRUE(story && story->arrivals);
  EXPECT_EQ(story->arrivals->rearranged_at, (std::vector<std::uint64_t>{5}));
  EXPECT_EQ(story->candidates.at(0).choice.algorithm->name, "knomial");
}

TEST(Arranged, what_does_not_pay_is_undone_on_all_ranks) {
  Job job(32, forced(Method::order));
  job.penalty = 5;
  const std::vector<double> delays = late(32, 16, 3);
  bool was_arranged = false;
  for (int i = 0; i < 200; ++i) {
    (void)job.call(delays);
    was_arranged = was_arranged || job.is_arranged();
  }
  EXPECT_TRUE(was_arranged);
  EXPECT_FALSE(job.is_arranged());
}

TEST(Arranged, where_nobody_is_late_nothing_changes) {
  Job job(32, forced(Method::order));
  for (int i = 0; i < 2000; ++i) (void)job.call(std::vector<double>(32));
  EXPECT_FALSE(job.is_arranged());
}

// The check is in Job::call().
TEST(Arranged, all_ranks_always_arrange_alike) {
  std::mt19937 random(11);
  for (const Rank size : {2, 3, 7, 32}) {
    for (const Method method : {Method::order, Method::swap}) {
      for (const int lag : {1, 2, 6, 40}) {
        Job job(size, forced(method), lag);
        std::vector<double> delays(static_cast<std::size_t>(size));
        for (int i = 0; i < 600; ++i) {
          if (i % 50 == 0) {
            job.penalty = i % 100 == 0 ? 0 : 20;
            for (double& delay : delays) delay = static_cast<double>(random() % 1000) / 100;
          }
          std::vector<double> noisy = delays;
          for (double& delay : noisy) delay *= 1 + static_cast<double>(random() % 100) / 500;
          (void)job.call(noisy);
        }
      }
    }
  }
}

// Not cut.
Problem of(Collective collective) { return {.collective = collective, .count = 1 << 15}; }

TEST(Arranged, is_found_by_time_without_being_asked_for) {
  for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
    Job job(32, by_time(of(collective)), 1, of(collective));
    const std::vector<double> delays =
        late(32, collective == Collective::bcast ? 16 : 31, collective == Collective::allreduce ? .5 : 3);
    const double at_first = job.call(delays);
    for (int i = 0; i < 400; ++i) (void)job.call(delays);
    EXPECT_TRUE(job.is_arranged()) << name_of(collective);
    EXPECT_LT(job.call(delays), .95 * at_first);
    const auto story = job.policy(0).story(402);
    ASSERT_TRUE(story && story->arrivals);
    EXPECT_FALSE(story->arrivals->before.arrived.empty());
    EXPECT_EQ(job.policy(1).story(402)->arrivals->rearranged_at, story->arrivals->rearranged_at);
  }
}

TEST(Arranged, is_not_tried_by_time_where_nobody_is_late) {
  Job job(32, by_time(broadcast));
  for (int i = 0; i < 2000; ++i) (void)job.call(std::vector<double>(32));
  EXPECT_EQ(job.changes(), 0);
  EXPECT_FALSE(job.is_arranged());
}

// The checks are in Job::call().
TEST(Arranged, all_ranks_arrange_and_choose_alike_whatever_comes) {
  const int calls = std::getenv("THOROUGH_TESTS") != nullptr ? 200'000 : 600;
  std::mt19937 random(12);
  int changes = 0;
  for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
    for (const Rank size : {3, 5, 16}) {
      Job job(size, by_time(of(collective)), 1 + static_cast<int>(random() % 5), of(collective));
      std::vector<double> delays(static_cast<std::size_t>(size));
      for (int i = 0; i < calls; ++i) {
        if (random() % 100 == 0) {
          for (double& delay : delays) delay = static_cast<double>(random() % 1000) / 100;
        }
        std::vector<double> noisy = delays;
        for (double& delay : noisy) delay *= 1 + static_cast<double>(random() % 100) / 500;
        (void)job.call(noisy, random() % 7 != 0);
      }
      changes += job.changes();
    }
  }
  EXPECT_GT(changes, 2);
}

}  // namespace
}  // namespace espalier::arranged_test
