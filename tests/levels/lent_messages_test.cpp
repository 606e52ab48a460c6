// SPDX-License-Identifier: Apache-2.0
#include "levels/lent_messages.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"

namespace espalier::lent_messages_test {
namespace {

int lent_operands(Collective collective, const char* name) {
  const Algorithm& algorithm = *find_algorithm(collective, name);
  const Schedule schedule =
      build_schedule(algorithm, {.contract = contract_of(collective), .shape = {.size = 4}, .radix = 2});
  int count = 0;
  for (const Lenders& one : find_lenders_on_node(schedule)) count += (one.left ? 1 : 0) + (one.right ? 1 : 0);
  return count;
}

TEST(LentMessages, are_those_that_one_reduction_reads_also_where_they_are_merged) {
  EXPECT_EQ(lent_operands(Collective::allreduce, "levels"), 2);
  EXPECT_EQ(lent_operands(Collective::allreduce, "recursive_doubling"), 2);
}

TEST(LentMessages, are_none_where_nothing_is_added) {
  EXPECT_EQ(lent_operands(Collective::allgather, "recursive_doubling"), 0);
}

}  // namespace
}  // namespace espalier::lent_messages_test
