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

namespace espalier {
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
  return [=](const Shape& shape) {
    return std::make_unique<Arranged>(broadcast, shape, Decision(binomial()), method, true);
  };
}

// As it is without any settings.
Maker by_time(const Problem& problem) {
  return [=](const Shape& shape) {
    const TuningSettings settings{.policy = TuningPolicy::race};
    return std::make_unique<Arranged>(
        problem, shape, Decision(std::make_unique<ByTime>(problem, shape, Start{}, settings, nullptr, true)),
        Method::order, false);
  };
}

// The ranks of a communicator, each with a decision of its own; rank 0 is the root. What ranks tell it comes some calls
// later.
class Job {
 public:
  Job(Rank size, const Maker& make, int lag = 1, const Problem& problem = broadcast)
      : size_(size), lag_(lag), problem_(problem) {
    for (Rank rank = 0; rank < size; ++rank) ranks_.push_back(make(Shape{size}));
    left_.resize(static_cast<std::size_t>(size));
    rulings_.resize(left_.size());
  }

  // How long the call took, mean over the ranks. `is_blocking`: all take part at once.
  double call(std::span<const double> delays, bool is_blocking = true) {
    if (left_[0] == 0 && is_blocking) agree();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (left_[rank] == 0) {
        rulings_[rank] = ranks_[rank]->look(ordinal_);
        left_[rank] = rulings_[rank].calls == 0 ? ~std::uint64_t{0} : rulings_[rank].calls;
      }
      --left_[rank];
      EXPECT_EQ(left_[rank], left_[0]);
      EXPECT_TRUE(rulings_[rank].choice == rulings_[0].choice) << "rank " << rank << ", call " << ordinal_;
    }
    const arrival::Wave wave = played(rulings_[0].choice, delays);
    for (Rank rank = 0; rank < size_ && is_blocking; ++rank) tell(rank, delays, wave);
    ++ordinal_;
    return wave.mean;
  }

  // How much longer each rank is in a call than the model says, if they are arranged.
  double penalty = 0;

  [[nodiscard]] bool is_arranged() const { return rulings_[0].choice.arrangement != nullptr; }
  [[nodiscard]] int changes() const { return changes_; }
  [[nodiscard]] Choice way_from_root() { return ranks_[0]->way_from_root(); }
  [[nodiscard]] const Policy& policy(Rank rank) const { return *ranks_[static_cast<std::size_t>(rank)]; }

 private:
  struct Told {
    Rank from;
    std::uint64_t ordinal;
    Telling telling;
  };

  // Whatever the MPI does goes along a binomial tree; all of ours take as long.
  [[nodiscard]] arrival::Wave played(const Choice& choice, std::span<const double> delays) const {
    const arrival::Flow flow = problem_.collective == Collective::bcast    ? arrival::Flow::down
                               : problem_.collective == Collective::reduce ? arrival::Flow::up
                                                                           : arrival::Flow::up_and_down;
    const Arrangement usual(size_);
    const Arrangement& arranged = choice.arrangement != nullptr ? *choice.arrangement : usual;
    const auto play_along = [&](const arrival::PlaceTree& tree) {
      arrival::Wave wave = play(tree, arranged, delays, transfer);
      for (double& left : wave.left) left += arranged.is_usual() ? 0 : penalty;
      return wave;
    };
    if (choice.native() || choice.algorithm->tree == nullptr) return play_along(arrival::knomial(size_, 0, 2, flow));
    return play_along(
        {size_, 0,
         [&](Rank place) { return choice.algorithm->tree(place, size_, 0, choice.radix).children_farthest_first(); },
         nullptr, flow});
  }

  void agree() {
    while (share_sums()) {
    }
    bool is_moment = false;
    for (const auto& rank : ranks_) is_moment = rank->wants_to_hear(ordinal_);
    for (; is_moment && !told_.empty() && told_.front().ordinal + static_cast<std::uint64_t>(lag_) <= ordinal_;
         told_.pop_front())
      ranks_[0]->hear(told_.front().from, told_.front().ordinal, told_.front().telling);
    for (;;) {
      const std::span<double> said = ranks_[0]->numbers_of_root(ordinal_);
      if (said.empty()) break;
      const std::vector<double> numbers(said.begin(), said.end());
      if (numbers.size() > 3) ++changes_;
      const Algorithm* const way = ranks_[0]->way_from_root().algorithm;
      for (const auto& rank : ranks_) {
        const std::span<double> heard = rank == ranks_[0] ? said : rank->numbers_of_root(ordinal_);
        ASSERT_EQ(heard.size(), numbers.size());
        std::ranges::copy(numbers, heard.begin());
        EXPECT_EQ(rank->way_from_root().algorithm, way);
        rank->take_numbers_of_root();
      }
    }
    EXPECT_TRUE(ranks_.back()->numbers_of_root(ordinal_).empty());
  }

  bool share_sums() {
    std::vector<std::span<double>> numbers;
    for (const auto& rank : ranks_) numbers.push_back(rank->numbers_to_share(ordinal_));
    if (numbers[0].empty()) return false;
    for (const auto& of_rank : numbers) EXPECT_EQ(of_rank.size(), numbers[0].size());
    for (std::size_t i = 0; i < numbers[0].size(); ++i) {
      double sum = 0;
      for (const auto& of_rank : numbers) sum += of_rank[i];
      for (const auto& of_rank : numbers) of_rank[i] = sum;
    }
    for (const auto& rank : ranks_) rank->take_sums();
    return true;
  }

  void tell(Rank rank, std::span<const double> delays, const arrival::Wave& wave) {
    const auto i = static_cast<std::size_t>(rank);
    if (!rulings_[i].wants_seconds) return;
    const double begin = 100.0 * static_cast<double>(ordinal_);
    ranks_[i]->observe(ordinal_, problem_.bytes(),
                       {.come = begin + delays[i],
                        .left = begin + wave.left[i],
                        .taken = wave.left[i] - delays[i],
                        .waited = wave.waited[i]});
    if (const auto telling = ranks_[i]->to_tell(ordinal_)) told_.push_back({rank, ordinal_, *telling});
  }

  const Rank size_;
  const int lag_;
  const Problem problem_;
  std::vector<std::unique_ptr<Policy>> ranks_;
  std::vector<std::uint64_t> left_;
  std::vector<Ruling> rulings_;
  std::uint64_t ordinal_ = 0;
  std::deque<Told> told_;
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

// A rank that has refused a call of the others' is one call behind.
TEST(Arranged, words_before_another_call_are_refused) {
  const auto root = forced(Method::order)(Shape{4}), behind = forced(Method::order)(Shape{4});
  for (const auto& rank : {root.get(), behind.get()}) {
    ASSERT_FALSE(rank->numbers_to_share(1).empty());  // the clocks begin together
    rank->take_sums();
  }
  const std::span<double> said = root->numbers_of_root(1), heard = behind->numbers_of_root(1);
  ASSERT_EQ(said.size(), heard.size());
  std::ranges::copy(said, heard.begin());
  heard.back() += 1;
  EXPECT_THROW(behind->take_numbers_of_root(), std::runtime_error);
}

TEST(Arranged, few_ranks_are_told_by_the_root_itself_until_it_is_known_who_is_late) {
  Job job(32, forced(Method::order));
  (void)job.call(late(32, 16, 3));
  EXPECT_EQ(job.way_from_root().algorithm->name, "linear");
  for (int i = 0; i < 10; ++i) (void)job.call(late(32, 16, 3));
  EXPECT_EQ(job.way_from_root().algorithm->name, "knomial");
  EXPECT_NE(job.way_from_root().arrangement, nullptr);
  EXPECT_EQ(Job(65, forced(Method::order)).way_from_root().algorithm->name, "knomial");
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
    EXPECT_FALSE(story->arrivals->before.come.empty());
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
}  // namespace espalier
