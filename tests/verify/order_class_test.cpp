// SPDX-License-Identifier: Apache-2.0
// Which algorithms may replace each other without changing a bit.
#include <gtest/gtest.h>

#include "verify/sweep.hpp"

namespace espalier::order_class_test {
namespace {

Findings facts_of(Collective collective, const char* name, Rank size, const Sample& sample) {
  const Algorithm* algorithm = find_algorithm(collective, name);
  const SweepCase one{.algorithm = algorithm, .problem = {collective, size}};
  Verdict verdict = verify(one.problem, one.build(), sample);
  EXPECT_EQ(verdict.error, "") << one.text();
  return verdict.findings;
}

TEST(OrderClass, of_a_binomial_tree_is_that_of_recursive_doubling) {
  for (const Rank size : {2, 4, 8, 16, 32}) {
    const Findings tree = facts_of(Collective::reduce, "binomial", size, {3, 1});
    const Findings cube = facts_of(Collective::allreduce, "recursive_doubling", size, {1, 1});
    EXPECT_EQ(tree.commutative_order_class, cube.commutative_order_class) << size;
  }
}

TEST(OrderClass, does_not_depend_on_the_cut) {
  for (const Algorithm& algorithm : registry()) {
    const Rank ranks = exists_for(algorithm, {7}) ? 7 : 8;
    if (!contract_of(algorithm.collective).reduces || !exists_for(algorithm, {ranks})) continue;
    const char* name = algorithm.name.data();
    EXPECT_EQ(facts_of(algorithm.collective, name, ranks, {1, 1}).order_class,
              facts_of(algorithm.collective, name, ranks, {9, 4}).order_class)
        << name;
  }
}

TEST(OrderClass, of_a_chain_is_not_that_of_a_tree) {
  EXPECT_NE(facts_of(Collective::reduce, "chain", 8, {1, 1}).commutative_order_class,
            facts_of(Collective::reduce, "binomial", 8, {1, 1}).commutative_order_class);
}

}  // namespace
}  // namespace espalier::order_class_test
