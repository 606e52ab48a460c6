// SPDX-License-Identifier: Apache-2.0
#include "select/fixed_table.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"

namespace espalier {
namespace {

TEST(FixedTable, names_only_algorithms_that_exist_and_can_do_what_the_row_promises) {
  for (const FixedRule& row : fixed_table()) {
    const Algorithm* algorithm = find_algorithm(row.collective, row.algorithm);
    ASSERT_NE(algorithm, nullptr) << row.algorithm;
    if (contract_of(row.collective).reduces && row.freest == Arithmetic::rank_order) {
      EXPECT_TRUE(algorithm->keeps_rank_order) << row.algorithm;
    }
    EXPECT_STRNE(row.reason, "");
  }
}

TEST(FixedTable, segments_messages_only_where_a_whole_one_would_be_larger) {
  for (const FixedRule& row : fixed_table()) EXPECT_GE(row.min_bytes, row.cut.segment_bytes);
}

}  // namespace
}  // namespace espalier
