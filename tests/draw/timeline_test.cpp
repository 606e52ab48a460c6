// SPDX-License-Identifier: Apache-2.0
#include "draw/timeline.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "schedules.hpp"

namespace espalier {
namespace {

Timeline run(const Schedules& schedules) {
  const Subject& subject = schedules.subject;
  return run_idealised(subject.ranks, subject.segments, subject.window);
}

int rounds_of_doubling(int ranks) { return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1))); }

constexpr Rank sizes[] = {1, 2, 3, 4, 5, 7, 8, 16, 27};

TEST(Timeline, takes_as_many_steps_as_the_books_say) {
  for (const Rank p : sizes) {
    const int log = p > 1 ? rounds_of_doubling(p) : 0;
    EXPECT_EQ(run({Collective::bcast, "linear", p}).steps, p - 1) << p;
    EXPECT_EQ(run({Collective::bcast, "knomial", p}).steps, log) << p;
    EXPECT_EQ(run({Collective::reduce, "binomial", p}).steps, log) << p;
    EXPECT_EQ(run({Collective::barrier, "dissemination", p}).steps, log) << p;
    EXPECT_EQ(run({Collective::allreduce, "ring", p}).steps, 2 * (p - 1)) << p;
    if (p > 1) {
      EXPECT_EQ(run({Collective::bcast, "chain", p, 6}).steps, p - 2 + 6) << p;
    }
  }
}

TEST(Timeline, needs_more_steps_when_the_window_lets_nothing_overlap) {
  const int wide = run({Collective::reduce, "chain", 5, 8, 4}).steps;
  const int narrow = run({Collective::reduce, "chain", 5, 8, 1}).steps;
  EXPECT_EQ(wide, 5 - 2 + 8);
  EXPECT_GT(narrow, wide);
}

TEST(Timeline, moves_at_most_one_message_per_port_and_step) {
  for (const Algorithm& algorithm : registry()) {
    if (!exists_for(algorithm, {9})) continue;
    const Timeline timeline = run({algorithm.collective, algorithm.name, 9, 5});
    std::set<std::tuple<int, Channel, Rank>> sending, receiving;
    for (const DrawnMessage& transfer : timeline.transfers) {
      EXPECT_TRUE(sending.insert({transfer.step, transfer.channel, transfer.sender}).second) << algorithm.name;
      EXPECT_TRUE(receiving.insert({transfer.step, transfer.channel, transfer.receiver}).second) << algorithm.name;
    }
  }
}

TEST(Timeline, ends_with_every_item_of_every_rank_done_once) {
  for (const Algorithm& algorithm : registry()) {
    for (const Rank p : sizes) {
      if (!exists_for(algorithm, {p})) continue;
      const Schedules schedules(algorithm.collective, algorithm.name, p, 3);
      const Timeline timeline = run(schedules);
      EXPECT_TRUE(timeline.complete()) << algorithm.name << " " << p;
      std::size_t messages = 0, work = 0;
      for (const Schedule& schedule : schedules.ranks) {
        const Items items(schedule, unit_partition(schedule.blocks, schedules.subject.segments));
        for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
          const Operation& op = schedule.operations[k];
          if (op.kind == Operation::Kind::send) messages += items.count(k);
          if (!op.communicates()) work += items.count(k);
        }
      }
      EXPECT_EQ(timeline.transfers.size(), messages);
      EXPECT_EQ(timeline.work.size(), work);
    }
  }
}

TEST(Timeline, ends_incomplete_when_a_message_never_comes) {
  Schedules schedules(Collective::bcast, "chain", 3);
  schedules.ranks[1].operations[1].peers = always(0);  // what was meant for rank 2 goes back
  const Timeline timeline = run(schedules);
  EXPECT_FALSE(timeline.complete());
  EXPECT_EQ(timeline.finished, (std::vector<int>{1, -1, -1}));
}

}  // namespace
}  // namespace espalier
