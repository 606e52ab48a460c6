// SPDX-License-Identifier: Apache-2.0
#include "policy/selection/by_user.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "select/forced.hpp"

namespace espalier::by_user_test {
namespace {

Problem of(Collective collective, Arithmetic arithmetic = Arithmetic::exact) {
  return {.collective = collective, .count = 1000, .element_bytes = 8, .arithmetic = arithmetic};
}

Choice first_choice(const char* forced, const Problem& problem, Rank size,
                    Reproducible reproducible = Reproducible::run) {
  Settings settings;
  EXPECT_EQ(force(forced, settings), "");
  return decide_by_user(settings.algorithms.front(), problem, {size}, reproducible).first_choice();
}

std::string refusal(const char* forced) {
  Settings settings;
  return force(forced, settings);
}

TEST(ByUser, ranks_stand_as_they_are_listed) {
  const Choice choice =
      first_choice("reduce:chain,arrange=0/3/2/1", of(Collective::reduce, Arithmetic::commutative), 4);
  ASSERT_NE(choice.arrangement, nullptr);
  EXPECT_EQ(choice.arrangement->rank_at(1), 3);
}

TEST(ByUser, a_list_that_is_not_for_this_communicator_leaves_the_call_to_the_native_mpi) {
  for (const char* forced :
       {"bcast:chain,arrange=0/2/1", "bcast:chain,arrange=1/0/2/3", "bcast:chain,arrange=0/1/1/3"}) {
    EXPECT_TRUE(first_choice(forced, of(Collective::bcast), 4).native()) << forced;
  }
}

TEST(ByUser, what_is_learnt_arranges_no_reduction_whose_order_shows) {
  const Problem sum = of(Collective::reduce, Arithmetic::commutative);
  const auto decide = [&](Reproducible reproducible) {
    Settings settings;
    EXPECT_EQ(force("reduce:binomial,arrange=order", settings), "");
    return decide_by_user(settings.algorithms.front(), sum, {8}, reproducible);
  };
  EXPECT_TRUE(decide(Reproducible::run).is_permanent());
  EXPECT_FALSE(decide(Reproducible::off).is_permanent());
}

TEST(ByUser, only_trees_are_arranged_and_by_swap_only_broadcasts) {
  EXPECT_NE(refusal("allreduce:ring,arrange=order").find("has no tree"), std::string::npos);
  EXPECT_NE(refusal("reduce:chain,arrange=swap").find("allowed for reduce: order"), std::string::npos);
  EXPECT_EQ(refusal("bcast:chain,arrange=swap(16)"), "");
  for (const char* const none : {"swap(0)", "swap(16385)", "swap()", "swap(16", "swap(x)"})
    EXPECT_NE(refusal(("bcast:chain,arrange=" + std::string(none)).c_str()).find("swap(1) to swap(16384)"),
              std::string::npos);
  EXPECT_NE(refusal("bcast:chain,arrange=sideways").find("allowed: order, swap"), std::string::npos);
  EXPECT_NE(refusal("bcast:native,arrange=order").find("takes no parameters"), std::string::npos);
  EXPECT_NE(refusal("bcast:native,over=fabric").find("takes no parameters"), std::string::npos);
  EXPECT_EQ(refusal("allreduce:chain,arrange=order"), "");
}

}  // namespace
}  // namespace espalier::by_user_test
