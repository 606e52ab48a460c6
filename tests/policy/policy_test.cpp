// SPDX-License-Identifier: Apache-2.0
#include "policy/policy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace espalier::policy_test {
namespace {

// Sums a number once, and then runs as many segments as that gave.
class OnceSummed : public Policy {
 public:
  std::optional<PolicyExchange> exchange(std::uint64_t /*ordinal*/, Asked /*asked*/) override {
    return are_summed_ ? std::nullopt : std::optional<PolicyExchange>(SumOverRanks{{&number_, 1}});
  }
  RunCalls run(std::uint64_t ordinal) override {
    return {.choice = {.cut = {.segment_bytes = static_cast<std::size_t>(number_)}}, .calls = ordinal + 1};
  }
  std::optional<CallReport> take(const PolicyResult& result) override {
    if (std::holds_alternative<Sums>(result)) are_summed_ = true;
    return std::nullopt;
  }

 private:
  double number_ = 1;
  bool are_summed_ = false;
};

TEST(Policy, exchanges_before_it_runs_where_all_ranks_are_together) {
  OnceSummed policy;
  PolicyStep step = policy.next(0, Asked::together);
  ASSERT_TRUE(std::holds_alternative<SumOverRanks>(step));
  std::get<SumOverRanks>(step).numbers[0] = 5;
  policy.take(Sums{});
  step = policy.next(0, Asked::again);
  ASSERT_TRUE(std::holds_alternative<RunCalls>(step));
  EXPECT_EQ(std::get<RunCalls>(step).choice.cut.segment_bytes, 5u);
}

TEST(Policy, runs_at_once_where_a_rank_asks_alone) {
  OnceSummed policy;
  EXPECT_TRUE(std::holds_alternative<RunCalls>(policy.next(0, Asked::alone)));
}

TEST(Selection, is_permanent_if_nothing_else_was_said) {
  Selection permanent(Choice{.radix = 3});
  EXPECT_TRUE(permanent.is_permanent());
  EXPECT_EQ(permanent.first_choice().radix, 3);
}

TEST(Selection, begins_with_the_first_choice_of_its_policy) {
  Selection changing(std::make_unique<OnceSummed>());
  EXPECT_FALSE(changing.is_permanent());
  EXPECT_EQ(changing.first_choice().cut.segment_bytes, 1u);
}

TEST(Choice, is_equal_to_one_that_does_the_same_for_another_reason) {
  EXPECT_EQ((Choice{.reason = "this"}), (Choice{.reason = "that"}));
  EXPECT_NE((Choice{.radix = 2}), (Choice{.radix = 3}));
  EXPECT_NE((Choice{.cut = {.window = 1}}), (Choice{.cut = {.window = 2}}));
}

}  // namespace
}  // namespace espalier::policy_test
