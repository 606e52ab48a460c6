// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "../support/built.hpp"
#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"

namespace espalier {
namespace {

TEST(Registry, finds_each_algorithm_by_collective_and_name) {
  std::set<std::pair<Collective, std::string_view>> seen;
  for (const Algorithm& algorithm : registry()) {
    EXPECT_TRUE(seen.insert({algorithm.collective, algorithm.name}).second) << algorithm.name;
    EXPECT_EQ(find_algorithm(algorithm.collective, algorithm.name), &algorithm);
    EXPECT_FALSE(algorithm.description.empty());
    EXPECT_FALSE(algorithm.source.empty());
  }
  EXPECT_EQ(find_algorithm(Collective::bcast, "no such thing"), nullptr);
}

TEST(Registry, has_an_order_class_of_each_algorithm_that_adds_and_of_no_other) {
  for (const Algorithm& algorithm : registry()) {
    EXPECT_EQ(!algorithm.order.name.empty(), contract_of(algorithm.collective).reduces) << algorithm.name;
  }
}

// The algorithms that walk over the ranks' blocks one by one would not scale; those for large machines stay small.
TEST(Registry, pipelined_trees_are_small_whatever_the_number_of_ranks) {
  for (const auto& [collective, name] : {std::pair{Collective::bcast, "binary"},
                                         {Collective::bcast, "chain"},
                                         {Collective::reduce, "binary"},
                                         {Collective::allreduce, "tree"},
                                         {Collective::allreduce, "ring"}}) {
    const Schedule schedule = built(collective, name, {10000}, collective == Collective::reduce ? 0 : 3);
    EXPECT_LE(schedule.operations.size(), 8U) << name;
  }
}

}  // namespace
}  // namespace espalier
