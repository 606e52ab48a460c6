// SPDX-License-Identifier: Apache-2.0
#include "select/played.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/algorithm.hpp"
#include "select/alternatives.hpp"

namespace espalier {

namespace {

Problem bcast_of(std::size_t bytes) { return {.collective = Collective::bcast, .count = bytes}; }

bool are_tried(const char* algorithm, Rank ranks) {
  const std::vector<Alternative> all = alternatives_for(bcast_of(32), {.size = ranks}, {}, Reproducible{});
  return std::ranges::any_of(
      all, [&](const Alternative& one) { return !one.choice.native() && one.choice.algorithm->name == algorithm; });
}

TEST(Played, what_takes_as_many_steps_as_there_are_ranks_is_tried_among_few_only) {
  EXPECT_TRUE(are_tried("linear", 4));
  EXPECT_FALSE(are_tried("linear", 4096));
  EXPECT_TRUE(are_tried("knomial", 4096));
}

TEST(Played, steps_grow_with_the_ranks) {
  const Problem problem = bcast_of(32);
  const Choice linear{.algorithm = find_algorithm(Collective::bcast, "linear")};
  const Choice knomial{.algorithm = find_algorithm(Collective::bcast, "knomial"), .radix = 2};
  const auto ratio = [&](const Choice& choice) {
    const Shape few{.size = 16}, many{.size = 4096};
    return *Played(problem, many).seconds(choice) / *Played(problem, few).seconds(choice);
  };
  EXPECT_NEAR(ratio(knomial), 3, .2);
  EXPECT_GT(ratio(linear), 100);
}

}  // namespace

}  // namespace espalier
