// SPDX-License-Identifier: Apache-2.0
#include "select/by_rule.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"

namespace espalier {
namespace {

Problem message(const Algorithm& algorithm, std::size_t bytes) {
  return {.collective = algorithm.collective, .count = bytes, .arithmetic = Arithmetic::commutative};
}

TEST(ByRule, takes_each_algorithm_that_has_a_rule_from_there_on) {
  int rules = 0;
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.rule) continue;
    ++rules;
    const auto& [ranks, bytes, reason] = *algorithm.rule;
    const Choice choice = choice_by_rule(message(algorithm, bytes), {ranks});
    EXPECT_EQ(choice.algorithm, &algorithm) << algorithm.name;
    EXPECT_STREQ(choice.reason, reason);
    EXPECT_STRNE(choice.reason, "");
    EXPECT_TRUE(choice_by_rule(message(algorithm, bytes - 1), {ranks}).native()) << algorithm.name;
    EXPECT_TRUE(choice_by_rule(message(algorithm, bytes), {ranks - 1}).native()) << algorithm.name;
  }
  EXPECT_GT(rules, 0);
}

TEST(ByRule, cuts_messages_only_where_a_whole_one_would_be_larger_than_a_segment) {
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.rule) continue;
    EXPECT_GE(algorithm.rule->min_bytes, default_cut.segment_bytes) << algorithm.name;
  }
}

TEST(ByRule, leaves_to_the_native_mpi_what_an_algorithm_would_do_wrong) {
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.rule || algorithm.order.name.empty() || algorithm.keeps_rank_order) continue;
    Problem problem = message(algorithm, algorithm.rule->min_bytes);
    problem.arithmetic = Arithmetic::rank_order;
    EXPECT_TRUE(choice_by_rule(problem, {algorithm.rule->min_ranks}).native()) << algorithm.name;
  }
}

}  // namespace
}  // namespace espalier
