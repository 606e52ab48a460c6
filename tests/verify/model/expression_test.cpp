// SPDX-License-Identifier: Apache-2.0
#include "verify/model/expression.hpp"

#include <gtest/gtest.h>

#include <string>

namespace espalier::expression_test {
namespace {

using Id = Expressions::Id;

std::string text(const Expressions& expressions, Id id) {
  return expressions.evaluate<std::string>(
      id, [](Rank rank) { return std::to_string(rank); },
      [](const std::string& left, const std::string& right) { return "(" + left + right + ")"; });
}

TEST(Expressions, are_stored_once) {
  Expressions e(4);
  const Id ab = e.join(e.leaf(0), e.leaf(1));
  EXPECT_EQ(e.join(e.leaf(0), e.leaf(1)), ab);
  EXPECT_NE(e.join(e.leaf(1), e.leaf(0)), ab);
  EXPECT_EQ(e.size(), 6u);
}

TEST(Expressions, evaluate_in_any_arithmetic) {
  Expressions e(4);
  const Id id = e.join(e.join(e.leaf(2), e.leaf(0)), e.join(e.leaf(1), e.leaf(3)));
  EXPECT_EQ(text(e, id), "((20)(13))");
  EXPECT_EQ(e.evaluate<int>(
                id, [](Rank rank) { return rank + 1; }, [](int a, int b) { return 2 * a - b; }),
            10);
}

TEST(Expressions, know_what_they_hold_and_what_repeats) {
  Expressions e(130);
  Id all = e.leaf(0);
  for (Rank rank = 1; rank < 130; ++rank) {
    EXPECT_FALSE(e.holds(all, rank));
    all = e.join(all, e.leaf(rank));
  }
  for (Rank rank = 0; rank < 130; ++rank) EXPECT_TRUE(e.holds(all, rank));
  EXPECT_FALSE(e[all].repeats);
  EXPECT_TRUE(e[e.join(all, e.leaf(77))].repeats);
  EXPECT_TRUE(e[e.join(e.join(all, e.leaf(77)), e.leaf(1))].repeats);
}

TEST(Expressions, know_rank_order) {
  Expressions e(4);
  const Id grouped = e.join(e.leaf(0), e.join(e.join(e.leaf(1), e.leaf(2)), e.leaf(3)));
  EXPECT_TRUE(e.is_in_rank_order(grouped, {0, 4}));
  EXPECT_FALSE(e.is_in_rank_order(e.join(e.leaf(0), e.leaf(1)), {0, 4}));
  EXPECT_FALSE(e.is_in_rank_order(e.join(e.join(e.leaf(2), e.leaf(3)), e.join(e.leaf(0), e.leaf(1))), {0, 4}));
  EXPECT_FALSE(e.is_in_rank_order(e.join(e.join(e.leaf(1), e.leaf(0)), e.join(e.leaf(2), e.leaf(3))), {0, 4}));
}

TEST(Expressions, are_of_one_commutative_class_if_operands_are_swapped_only) {
  Expressions e(4);
  const auto join = [&](Id a, Id b) { return e.join(a, b); };
  const Id one = join(join(e.leaf(0), e.leaf(1)), join(e.leaf(2), e.leaf(3)));
  const Id swapped = join(join(e.leaf(3), e.leaf(2)), join(e.leaf(0), e.leaf(1)));
  const Id regrouped = join(e.leaf(0), join(e.leaf(1), join(e.leaf(2), e.leaf(3))));
  EXPECT_NE(e[one].hash, e[swapped].hash);
  EXPECT_EQ(e[one].commutative_hash, e[swapped].commutative_hash);
  EXPECT_NE(e[one].commutative_hash, e[regrouped].commutative_hash);
}

TEST(Expressions, hash_alike_in_different_proofs) {
  Expressions e(8), f(8);
  static_cast<void>(f.join(f.leaf(6), f.leaf(7)));
  EXPECT_EQ(e[e.join(e.leaf(0), e.leaf(1))].hash, f[f.join(f.leaf(0), f.leaf(1))].hash);
}

}  // namespace
}  // namespace espalier::expression_test
