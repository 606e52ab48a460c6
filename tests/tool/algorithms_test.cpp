// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <regex>

#include "algorithms/algorithm.hpp"
#include "tool.hpp"

namespace espalier {
namespace {

TEST(Algorithms, are_all_listed_with_their_order_classes) {
  const auto answer = run_tool("algorithms --json").json();
  ASSERT_EQ(answer["algorithms"].size(), registry().size());
  for (std::size_t k = 0; k < registry().size(); ++k) {
    const nlohmann::json& listed = answer["algorithms"][k];
    const Algorithm& algorithm = registry()[k];
    EXPECT_EQ(listed["name"], algorithm.name);
    const nlohmann::json claimed = algorithm.order.name.empty() ? nullptr : nlohmann::json(algorithm.order.name);
    EXPECT_EQ(listed["order_class"], claimed) << algorithm.name;
    EXPECT_EQ(listed["takes_uneven"], algorithm.takes_uneven) << algorithm.name;
    EXPECT_EQ(listed["ranks"], takes_rank_count(algorithm, 3) ? "any" : "powers of two") << algorithm.name;
  }
}

TEST(Algorithms, say_in_words_which_order_class_they_are_of) {
  EXPECT_TRUE(std::regex_search(run_tool("algorithms").output, std::regex("allreduce:tree +binary +not kept")));
}

}  // namespace
}  // namespace espalier
