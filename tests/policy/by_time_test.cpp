// SPDX-License-Identifier: Apache-2.0
#include "policy/by_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

#include "algorithms/algorithm.hpp"
#include "topology/network.hpp"
#include "tuning/evidence/assumptions.hpp"
#include "tuning/normal.hpp"

namespace espalier::by_time_test {
namespace {

using tuning::Normal;

constexpr Problem exchange{.collective = Collective::alltoall, .count = 1 << 16};
constexpr Shape eight{.size = 8};

using Memories = std::vector<std::shared_ptr<Memory>>;

// Several ranks with a policy each, whose calls take what is said here.
class Ranks {
 public:
  using SecondsOf = std::function<double(const Choice& choice, std::uint64_t call, Rank rank)>;

  // `memories`: a rank's each, or none.
  Ranks(const Problem& problem, TuningPolicy policy, SecondsOf seconds_of,
        Reproducible reproducible = Reproducible::run, const Choice& baseline = {}, const Memories& memories = {},
        bool keeps_log = false, Shape shape = {})
      : problem_(problem), seconds_of_(std::move(seconds_of)) {
    shape.size = size;
    shape.placement = &placement();
    for (Rank rank = 0; rank < size; ++rank) {
      if (!shape.in_memory) shape.is_crowded = rank == 1;  // each node knows it of itself
      ranks_.push_back(std::make_unique<ByTime>(problem, shape, Start{baseline, {}},
                                                TuningSettings{policy, .01, reproducible, keeps_log},
                                                memories.empty() ? nullptr : memories[rank]));
    }
    left_.resize(size);
    runs_.resize(size);
    ordinals_.resize(size);
  }

  // `is_blocking`: all ranks take part.
  void call(bool is_blocking = true) {
    ask(is_blocking);
    for (Rank rank = 0; rank < size; ++rank) call(rank, is_blocking);
    ++calls_;
  }
  void calls(int count) {
    for (int i = 0; i < count; ++i) call();
  }
  // From now on this rank gets other sums than all others.
  void mislead(Rank rank) { misled_ = rank; }

  // There are no more calls.
  void finish() {
    for (const auto& rank : ranks_) rank->take(Finished{});
  }

  [[nodiscard]] const Choice& choice(Rank rank = 0) const { return runs_[rank].choice; }
  [[nodiscard]] const ByTime& policy(Rank rank = 0) const { return *ranks_[rank]; }
  [[nodiscard]] int times_shared() const { return times_shared_; }
  [[nodiscard]] bool all_alike() const { return all_alike_; }
  [[nodiscard]] bool have_diverged() const { return have_diverged_; }

 private:
  static constexpr Rank size = 3;
  static constexpr std::size_t first_time = 6;  // of the numbers

  static const Placement& placement() {
    static const Placement three = {.mpi = "An MPI", .ranks_of_nodes = "3", .ranks = size};
    return three;
  }

  // Those whose calls are over. One that asks for what the others do not goes on alone.
  void ask(bool is_blocking) {
    for (Asked asked = Asked::together; is_blocking && left_[0] == 0; asked = Asked::again) {
      std::vector<PolicyStep> steps;
      for (Rank rank = 0; rank < size; ++rank) {
        if (left_[rank] == 0) steps.push_back(next(rank, asked));
      }
      const auto are_all = [&](auto is) { return steps.size() == size && std::ranges::all_of(steps, is); };
      if (are_all([](const PolicyStep& step) { return std::holds_alternative<SumOverRanks>(step); })) {
        sum(steps);
      } else if (are_all([](const PolicyStep& step) { return std::holds_alternative<Diverged>(step); })) {
        have_diverged_ = true;
      } else {
        break;
      }
    }
    for (Rank rank = 0; rank < size; ++rank) {
      if (left_[rank] == 0) (void)next(rank, Asked::alone);
    }
  }

  PolicyStep next(Rank rank, Asked asked) {
    PolicyStep step = ranks_[rank]->next(ordinals_[rank], asked);
    if (const auto* run = std::get_if<RunCalls>(&step)) {
      runs_[rank] = *run;
      left_[rank] = run->calls == 0 ? ~std::uint64_t{0} : run->calls;
    }
    return step;
  }

  void sum(const std::vector<PolicyStep>& steps) {
    std::vector<std::span<double>> numbers;
    for (Rank rank = 0; rank < size; ++rank) {
      const auto& step = std::get<SumOverRanks>(steps[static_cast<std::size_t>(rank)]);
      if (step.work != nullptr) step.work->do_part(rank, size);
      numbers.push_back(step.numbers);
    }
    ++times_shared_;
    for (std::size_t i = 0; i < numbers[0].size(); ++i) {
      double sum = 0;
      for (const auto& of_rank : numbers) sum += of_rank[i];
      for (const auto& of_rank : numbers) of_rank[i] = sum;
    }
    if (misled_ >= 0) numbers[static_cast<std::size_t>(misled_)][first_time] *= 3;
    for (const auto& rank : ranks_) rank->take(Sums{});
  }

  void call(Rank rank, bool is_blocking) {
    --left_[rank];
    if (!(runs_[rank].choice == runs_[0].choice)) all_alike_ = false;
    const double seconds = seconds_of_(runs_[rank].choice, calls_, rank);
    if (is_blocking && runs_[rank].is_timed) {
      ranks_[rank]->take(CallEnded{ordinals_[rank], problem_.bytes(), {.taken = seconds}});
    }
    ++ordinals_[rank];
  }

  const Problem problem_;
  SecondsOf seconds_of_;
  std::vector<std::unique_ptr<ByTime>> ranks_;
  std::vector<std::uint64_t> left_, ordinals_;
  std::vector<RunCalls> runs_;
  std::uint64_t calls_ = 0;
  int times_shared_ = 0;
  Rank misled_ = -1;
  bool all_alike_ = true, have_diverged_ = false;
};

// Late ranks wait less.
double by_ring(const Choice& choice, std::uint64_t call, Rank rank) {
  const bool is_ring = !choice.native() && choice.algorithm->name == "ring";
  return (is_ring ? .5 : 1) * (1 + .02 * ((call * 7 + 3) % 5)) + .3 * rank;
}

TEST(ByTime, finds_the_fastest_by_what_ranks_measure) {
  for (const TuningPolicy policy : {TuningPolicy::race, TuningPolicy::star, TuningPolicy::intel}) {
    Ranks ranks(exchange, policy, by_ring);
    ranks.calls(800);
    ASSERT_FALSE(ranks.choice().native());
    EXPECT_EQ(ranks.choice().algorithm->name, "ring");
    EXPECT_TRUE(ranks.all_alike());
  }
}

// To play the algorithms on three ranks of a network takes longer than to meet once more.
TEST(ByTime, the_ranks_share_the_search_where_it_takes_long) {
  Machine machine;
  machine.nodes.resize(3);
  machine.nic_bytes_per_second = 1e9;
  const std::vector<int> node_of = {0, 1, 2};
  const Network network(machine, node_of);
  Ranks ranks(exchange, TuningPolicy::race, by_ring, Reproducible::run, {}, {}, false, {.network = &network});
  ranks.calls(8);
  for (int call = 0; call < 50 && ranks.policy().alternatives().empty(); ++call) ranks.call(call % 2 == 0);
  EXPECT_EQ(ranks.times_shared(), 2);
  ASSERT_FALSE(ranks.policy().alternatives().empty());
  ranks.calls(800);
  EXPECT_EQ(ranks.choice().algorithm->name, "ring");
  EXPECT_TRUE(ranks.all_alike());
}

TEST(ByTime, as_star_learns_from_the_first_call_on_by_the_papers_ten_candidates) {
  const Problem short_one{.collective = Collective::alltoall, .count = 1024};
  for (const TuningPolicy policy : {TuningPolicy::star, TuningPolicy::star_by_winner}) {
    Ranks ranks(short_one, policy, by_ring);
    for (int candidate = 0; candidate < 10; ++candidate) {
      ranks.call();
      const Choice first = ranks.choice();
      EXPECT_EQ(first.native(), candidate == 0);
      ranks.calls(9);
    }
    ranks.call();
    EXPECT_EQ(ranks.policy().alternatives().size(), 10U);
    EXPECT_EQ(ranks.choice().algorithm->name, "ring");
    EXPECT_TRUE(ranks.all_alike());
  }
}

TEST(ByTime, as_star_sends_all_at_once_where_it_sends_simply) {
  const Problem short_one{.collective = Collective::alltoall, .count = 1024};
  const std::vector<Alternative> ten = alternatives_of_star(short_one, {.size = 128});
  ASSERT_EQ(ten.size(), 10U);
  EXPECT_EQ(ten[1].choice.algorithm->name, "spread");
  EXPECT_GE(ten[1].choice.cut.window, 127);
  for (std::size_t other = 2; other < ten.size(); ++other) EXPECT_EQ(ten[other].choice.cut.window, default_cut.window);
}

// As a communicator whose calls are over.
void learn(const Memories& memories) {
  Ranks ranks(exchange, TuningPolicy::race, by_ring, Reproducible::run, {}, memories);
  ranks.calls(800);
  ranks.finish();
}

TEST(ByTime, starts_with_what_other_communicators_have_learnt) {
  const Memories memories = {std::make_shared<Memory>(), std::make_shared<Memory>(), std::make_shared<Memory>()};
  learn(memories);
  Ranks others(exchange, TuningPolicy::race, by_ring, Reproducible::run, {}, memories);
  others.calls(9);  // the ranks agree at the ninth
  ASSERT_FALSE(others.choice().native());
  EXPECT_EQ(others.choice().algorithm->name, "ring");
  EXPECT_TRUE(others.all_alike());
}

TEST(ByTime, forgets_what_not_all_ranks_have_learnt) {
  Memories memories = {std::make_shared<Memory>(), std::make_shared<Memory>(), std::make_shared<Memory>()};
  learn(memories);
  memories[1] = std::make_shared<Memory>();
  Ranks others(exchange, TuningPolicy::race, by_ring, Reproducible::run, {}, memories);
  others.calls(9);
  EXPECT_TRUE(others.choice().native());
  others.calls(800);
  EXPECT_EQ(others.choice().algorithm->name, "ring");
  EXPECT_TRUE(others.all_alike());
}

// All but the ring take far longer than the native MPI.
double by_ring_alone(const Choice& choice, std::uint64_t call, Rank rank) {
  return (choice.native() || choice.algorithm->name == "ring" ? 1 : 2.5) * by_ring(choice, call, rank);
}

constexpr Problem twice_as_long{.collective = Collective::alltoall, .count = 1 << 17};

// The context of another size: what it began with, and how many of its candidates took far longer than the native MPI.
struct AtAnotherSize {
  std::string_view start;
  int slow_ones = 0;
  bool all_alike = false, have_diverged = false;
};
AtAnotherSize at_another_size(const Memories& memories) {
  Ranks ranks(twice_as_long, TuningPolicy::race, by_ring_alone, Reproducible::run, {}, memories);
  ranks.calls(2000);
  const ContextStory story = *ranks.policy().story(2000);
  AtAnotherSize result{.start = story.start, .all_alike = ranks.all_alike(), .have_diverged = ranks.have_diverged()};
  for (const CandidateStory& one : story.candidates) {
    if (one.timed > 0 && by_ring_alone(one.choice, 0, 0) > 1.5) ++result.slow_ones;
  }
  EXPECT_EQ(ranks.choice().algorithm, find_algorithm(Collective::alltoall, "ring"));
  return result;
}

Memories memories_after(int calls) {
  Memories memories = {std::make_shared<Memory>(), std::make_shared<Memory>(), std::make_shared<Memory>()};
  Ranks ranks(exchange, TuningPolicy::race, by_ring_alone, Reproducible::run, {}, memories);
  ranks.calls(calls);  // and it may go on
  return memories;
}

TEST(ByTime, tries_less_of_what_was_slow_at_another_size) {
  const AtAnotherSize cold = at_another_size(memories_after(0)), warm = at_another_size(memories_after(2000));
  EXPECT_EQ(cold.start, "cold");
  EXPECT_EQ(warm.start, "other sizes");
  EXPECT_GT(cold.slow_ones, 1);
  EXPECT_LT(warm.slow_ones, cold.slow_ones);
  EXPECT_TRUE(warm.all_alike);
}

TEST(ByTime, leaves_what_it_tried_to_other_sizes_at_once) {
  EXPECT_EQ(at_another_size(memories_after(40)).start, "other sizes");
}

TEST(ByTime, forgets_what_not_all_ranks_know_of_other_sizes) {
  Memories memories = memories_after(2000);
  memories[1] = memories_after(400)[1];
  const AtAnotherSize found = at_another_size(memories);
  EXPECT_EQ(found.start, "cold");
  EXPECT_TRUE(found.all_alike);
  EXPECT_FALSE(found.have_diverged);
}

TEST(ByTime, goes_by_what_earlier_jobs_knew_of_other_sizes_where_ranks_have_learnt_different_things_since) {
  const std::vector<PlacementMemory> earlier = memories_after(2000)[0]->learnt();
  const Memories memories = {std::make_shared<Memory>(earlier), std::make_shared<Memory>(earlier),
                             std::make_shared<Memory>(earlier)};
  for (const PlacementMemory& one : memories_after(400)[1]->learnt())
    memories[1]->learn(one.placement, one.contexts[0]);
  const AtAnotherSize found = at_another_size(memories);
  EXPECT_EQ(found.start, "other sizes");
  EXPECT_TRUE(found.all_alike);
  EXPECT_FALSE(found.have_diverged);
}

TEST(ByTime, does_as_without_it_where_there_are_few_calls) {
  Ranks ranks(exchange, TuningPolicy::race, by_ring);
  ranks.calls(8);
  EXPECT_EQ(ranks.policy().tuner(), nullptr);
  EXPECT_EQ(ranks.times_shared(), 0);
}

TEST(ByTime, goes_on_with_the_incumbent_until_all_ranks_can_agree) {
  Ranks ranks(exchange, TuningPolicy::race, by_ring);
  ranks.calls(9);
  const int before = ranks.times_shared();
  for (int i = 0; i < 100; ++i) ranks.call(false);
  EXPECT_EQ(ranks.times_shared(), before);
  ranks.calls(500);
  EXPECT_GT(ranks.times_shared(), before);
  EXPECT_TRUE(ranks.all_alike());
  EXPECT_EQ(ranks.choice().algorithm->name, "ring");
}

TEST(ByTime, that_has_diverged_is_seen_and_aborted) {
  Ranks ranks(exchange, TuningPolicy::race, by_ring);
  ranks.calls(12);
  ranks.mislead(1);
  ranks.calls(200);
  EXPECT_FALSE(ranks.all_alike());  // for a block
  EXPECT_TRUE(ranks.have_diverged());
  for (Rank rank = 0; rank < 3; ++rank) {
    EXPECT_TRUE(ranks.choice(rank).native());
    EXPECT_EQ(ranks.policy(rank).tuner(), nullptr);
    EXPECT_STREQ(ranks.choice(rank).reason, "decisions differed between ranks: native for good");
  }
}

// Where calls overlap: before another candidate runs, and before the ranks agree.
TEST(ByTime, the_ranks_meet_where_another_candidate_takes_over) {
  const Problem broadcast{.collective = Collective::bcast, .count = 1 << 16};
  const auto equally_long = [](const Choice&, std::uint64_t, Rank) { return 1.; };
  Ranks ranks(broadcast, TuningPolicy::race, equally_long, Reproducible::run, {}, {}, true);
  ranks.calls(9);
  EXPECT_EQ(ranks.times_shared(), 2);
  ranks.calls(800);
  const ContextStory story = *ranks.policy().story(809);
  std::size_t others = 0;
  for (const BlockStory& block : story.blocks) {
    for (std::size_t i = 1; i < block.calls.size(); ++i) others += block.calls[i] != block.calls[i - 1] ? 1 : 0;
  }
  const std::size_t shared = static_cast<std::size_t>(ranks.times_shared()) - 2 * (1 + story.blocks.size());
  EXPECT_GT(others, 4U);
  EXPECT_GE(shared, others);
  EXPECT_LE(shared, others + 32);  // of the block that goes on
  EXPECT_TRUE(ranks.all_alike());
}

// Contexts of several communicators, whose calls of both forms come in any order, by clocks that go wrong.
TEST(ByTime, never_diverges_in_random_interleavings) {
  const std::uint64_t decisions = std::getenv("THOROUGH_TESTS") != nullptr ? 10'000'000 : 100'000;
  Normal random(20261123);
  const auto seconds = [&](const Choice& choice, std::uint64_t, Rank) {
    const double spike = random.share() < .02 ? 100 * random.share() : 1;
    return (choice.native() ? 1 : .5 + static_cast<double>(choice.algorithm->name.size()) / 10) *
           std::exp(.3 * random()) * spike;
  };
  std::vector<std::unique_ptr<Ranks>> contexts;
  const Collective collectives[] = {Collective::alltoall, Collective::bcast, Collective::allgather,
                                    Collective::scatter};
  const TuningPolicy policies[] = {TuningPolicy::race, TuningPolicy::star};
  for (int i = 0; i < 24; ++i) {
    const Problem problem{.collective = collectives[i % 4], .count = std::size_t{1} << i};
    contexts.push_back(std::make_unique<Ranks>(problem, policies[i / 4 % 2], seconds));
  }
  for (std::uint64_t made = 0; made < decisions; made += 3) {
    contexts[static_cast<std::size_t>(random.share() * 24)]->call(random.share() < .9);
  }
  for (const auto& context : contexts) {
    EXPECT_TRUE(context->all_alike());
    EXPECT_NE(context->policy().tuner(), nullptr);
  }
}

// Calls of some microseconds in the memory of a node: who is the fastest of few, in runs of calls. (Of shorter ones the
// budget is less than what the search takes on a busy machine, which is measured.)
struct ShortBarriers {
  explicit ShortBarriers(double of_dissemination)
      : ranks(Problem{.collective = Collective::barrier, .count = 0}, TuningPolicy::race, by_barrier(of_dissemination),
              Reproducible::run, {}, {}, true, Shape{.in_memory = true}) {}

  static Ranks::SecondsOf by_barrier(double of_dissemination) {
    return [=](const Choice& choice, std::uint64_t call, Rank rank) {
      const bool is_it = !choice.native() && choice.algorithm->name == "dissemination";
      return 1e-6 * ((is_it ? of_dissemination : choice.native() ? 4 : 6) + .1 * static_cast<double>(call % 5) + rank);
    };
  }
  [[nodiscard]] ContextStory story(std::uint64_t calls) const { return *ranks.policy().story(calls); }

  Ranks ranks;
};

TEST(ByTime, short_barriers_are_searched) {
  ShortBarriers barriers(1.5);
  barriers.ranks.calls(100000);
  ASSERT_FALSE(barriers.ranks.choice().native());
  EXPECT_EQ(barriers.ranks.choice().algorithm->name, "dissemination");
  EXPECT_TRUE(barriers.ranks.all_alike());
  double calls = 0;
  const ContextStory story = barriers.story(100000);
  for (const CandidateStory& one : story.candidates) calls += one.calls;
  EXPECT_EQ(calls, 100000);
  for (const BlockStory& block : story.blocks) EXPECT_GE(block.run, 4U);
}

TEST(ByTime, short_barriers_with_nothing_to_gain_stay_native_after_few_tries) {
  ShortBarriers barriers(6);
  barriers.ranks.calls(19000);
  EXPECT_TRUE(barriers.ranks.choice().native());
  const ContextStory story = barriers.story(19000);
  EXPECT_LT(story.agreements, 64U);
  EXPECT_GT(story.candidates.front().calls, 19000 - 640);
}

TEST(ByTime, short_calls_are_not_looked_at_before_thousands_of_them) {
  ShortBarriers barriers(1.5);
  barriers.ranks.calls(4096);
  EXPECT_EQ(barriers.ranks.times_shared(), 0);
}

TEST(ByTime, an_order_that_shows_is_kept) {
  const Problem sum{
      .collective = Collective::allreduce, .count = 1 << 17, .element_bytes = 8, .arithmetic = Arithmetic::commutative};
  const Choice baseline{.algorithm = find_algorithm(Collective::allreduce, "ring"), .cut = default_cut};
  for (const Alternative& alternative : alternatives_for(sum, eight, baseline, Reproducible::run)) {
    ASSERT_FALSE(alternative.choice.native());
    EXPECT_EQ(alternative.choice.algorithm->order.name, baseline.algorithm->order.name);
  }
  EXPECT_EQ(alternatives_for(sum, eight, {}, Reproducible::run).size(), 1U);
  EXPECT_GT(alternatives_for(sum, eight, {}, Reproducible::off).size(), 3U);
}

TEST(Alternatives, are_the_native_mpi_and_a_few_of_all_algorithms_in_the_order_of_their_estimates) {
  for (const Collective collective : all_collectives) {
    const Problem problem{.collective = collective, .count = 1 << 16};
    for (const Rank size : {2, 5, 100}) {
      const std::vector<Alternative> alternatives =
          alternatives_for(problem, Shape{.size = size}, {}, Reproducible::run);
      ASSERT_FALSE(alternatives.empty());
      EXPECT_TRUE(alternatives[0].choice.native());
      EXPECT_LE(alternatives.size(), 16U);
      EXPECT_TRUE(std::is_sorted(
          alternatives.begin() + 1, alternatives.end(),
          [](const Alternative& a, const Alternative& b) { return a.estimate.log_seconds < b.estimate.log_seconds; }));
    }
  }
}

TEST(Alternatives, have_leaders_where_nodes_have_several_ranks) {
  const RanksByNode nodes(std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
  const Problem problem{.collective = Collective::alltoall, .count = 8};
  const auto has_leaders = [&](const Shape& shape) {
    const std::vector<Alternative> all = alternatives_for(problem, shape, {}, Reproducible::run);
    return std::ranges::any_of(all, [](const Alternative& one) { return one.choice.leaders > 0; });
  };
  EXPECT_TRUE(has_leaders({.size = 12, .by_node = &nodes}));
  EXPECT_FALSE(has_leaders({.size = 12}));
}

// A rank that waits natively keeps its processor from the one that it waits for.
TEST(Alternatives, are_without_the_native_mpi_where_a_call_of_it_takes_turns_of_the_system) {
  const Problem problem{.collective = Collective::allreduce, .count = 1 << 16};
  const Choice ours{.algorithm = find_algorithm(Collective::allreduce, "rabenseifner"), .cut = {.window = 4}};
  Shape crowded{.size = 8, .in_memory = true, .is_crowded = true};
  const std::vector<Alternative> all = alternatives_for(problem, crowded, ours, Reproducible::run);
  EXPECT_EQ(all.front().choice, ours);
  EXPECT_EQ(std::ranges::count(all, ours, &Alternative::choice), 1);
  EXPECT_TRUE(std::ranges::none_of(all, [](const Alternative& one) { return one.choice.native(); }));
  EXPECT_TRUE(alternatives_for(problem, crowded, {}, Reproducible::run).front().choice.native());
  crowded.mpi_yields = true;
  EXPECT_TRUE(alternatives_for(problem, crowded, ours, Reproducible::run).front().choice.native());
}

TEST(Alternatives, are_different_ones_and_less_sure_where_the_network_is_not_known) {
  const Problem problem{.collective = Collective::bcast, .count = 1 << 16};
  for (const Alternative& each : alternatives_for(problem, eight, {}, Reproducible::run)) {
    EXPECT_TRUE(each.choice.native() || !each.choice.algorithm->name.starts_with("sites"));
    EXPECT_EQ(each.estimate.sd, tuning::Assumptions{}.blind_estimate_sd);
  }
  Machine machine;
  machine.nodes.resize(8);
  machine.nic_bytes_per_second = 1e9;
  const std::vector<int> node_of = {0, 1, 2, 3, 4, 5, 6, 7};
  const Network network(machine, node_of);
  for (const Alternative& each :
       alternatives_for(problem, Shape{.size = 8, .network = &network}, {}, Reproducible::run)) {
    EXPECT_EQ(each.estimate.sd, tuning::Assumptions{}.estimate_sd);
  }
}

// By what is known of the first four: as estimated, or by turns more and less.
double sd_of_the_last_where_others_were_off_by(double log_factor) {
  const Problem problem{.collective = Collective::bcast, .count = 1 << 16};
  std::vector<Alternative> alternatives = alternatives_for(problem, eight, {}, Reproducible::run);
  std::vector<KnownChoice> known;
  for (std::size_t i = 0; i < 4; ++i) {
    const double off = i % 2 == 0 ? log_factor : -log_factor;
    known.push_back({alternatives[i].choice, alternatives[i].estimate.log_seconds + 10 + off, .01});
  }
  const double before = alternatives.back().estimate.log_seconds;
  add_known(known, alternatives);
  EXPECT_NEAR(alternatives.back().estimate.log_seconds, before + 10, 1e-9);
  EXPECT_NEAR(alternatives[0].estimate.log_seconds, known[0].log_seconds, 1e-9);
  EXPECT_LT(alternatives[0].estimate.sd, .11);
  return alternatives.back().estimate.sd;
}

TEST(Alternatives, that_are_not_known_are_as_sure_as_the_estimates_of_known_ones_were_right) {
  const double said = tuning::Assumptions{}.blind_estimate_sd;
  EXPECT_LT(sd_of_the_last_where_others_were_off_by(0), .8 * said);
  EXPECT_NEAR(sd_of_the_last_where_others_were_off_by(said), said, .01);
  EXPECT_GT(sd_of_the_last_where_others_were_off_by(2 * said), 1.2 * said);
}

}  // namespace
}  // namespace espalier::by_time_test
