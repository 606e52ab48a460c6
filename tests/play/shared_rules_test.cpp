// SPDX-License-Identifier: Apache-2.0
#include "play/shared_rules.hpp"

#include <gtest/gtest.h>

#include "../engine/hand_made.hpp"

namespace espalier::shared_rules_test {
namespace {

using namespace hand_made;

struct CutSchedule {
  Schedule schedule;
  Partition partition;
  Items items;

  CutSchedule(Schedule of_rank, int segments)
      : schedule(std::move(of_rank)),
        partition(unit_partition(schedule.blocks, segments)),
        items(schedule, partition) {}
};

TEST(SharedRules, are_the_same_for_ranks_that_differ_in_their_peers_only) {
  const CutSchedule second(chain_reduction(1, 5), 3), third(chain_reduction(2, 5), 3), last(chain_reduction(4, 5), 3);
  SharedRules rules;
  const auto of_second = rules.for_rank(second.schedule, second.items, 2);
  EXPECT_EQ(rules.for_rank(third.schedule, third.items, 2), of_second);
  EXPECT_NE(rules.for_rank(last.schedule, last.items, 2), of_second) << "it has an operation less";
  EXPECT_EQ(rules.kinds(), 2U);
}

TEST(SharedRules, differ_with_the_window_and_the_segments) {
  const CutSchedule three(chain_reduction(1, 5), 3), four(chain_reduction(1, 5), 4);
  SharedRules rules;
  const auto of_three = rules.for_rank(three.schedule, three.items, 2);
  EXPECT_NE(rules.for_rank(three.schedule, three.items, 1), of_three);
  EXPECT_NE(rules.for_rank(four.schedule, four.items, 2), of_three);
  EXPECT_EQ(rules.kinds(), 3U);
}

}  // namespace
}  // namespace espalier::shared_rules_test
