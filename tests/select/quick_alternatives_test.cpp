// SPDX-License-Identifier: Apache-2.0
#include "select/quick_alternatives.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

constexpr Shape node{.size = 4, .in_memory = true};

TEST(QuickAlternatives, are_few_that_fit_and_begin_with_the_native_mpi) {
  for (const Collective collective : {Collective::barrier, Collective::allreduce, Collective::allgather,
                                      Collective::alltoall, Collective::reduce_scatter}) {
    const Problem problem{.collective = collective, .count = collective == Collective::barrier ? 0U : 8U};
    const auto found = quick_alternatives(problem, node, {}, Reproducible::run);
    EXPECT_TRUE(found.front().choice.native());
    EXPECT_GT(found.size(), 1U);
    EXPECT_LE(found.size(), 5U);
    for (const Alternative& one : found) EXPECT_EQ(one.estimate.log_seconds, found.front().estimate.log_seconds);
  }
}

TEST(QuickAlternatives, have_the_baseline_once) {
  const Problem problem{.collective = Collective::barrier};
  const Choice baseline{.algorithm = find_algorithm(Collective::barrier, "dissemination"),
                        .cut = {.segment_bytes = 0, .window = default_cut.window},
                        .reason = "for another reason"};
  const auto found = quick_alternatives(problem, node, baseline, Reproducible::run);
  EXPECT_EQ(std::ranges::count(found, baseline, &Alternative::choice), 1);
}

TEST(QuickAlternatives, keep_the_order_of_additions_where_it_shows) {
  const Problem sum{
      .collective = Collective::allreduce, .count = 1, .element_bytes = 8, .arithmetic = Arithmetic::commutative};
  EXPECT_EQ(quick_alternatives(sum, node, {}, Reproducible::run).size(), 1U);
  EXPECT_GT(quick_alternatives(sum, node, {}, Reproducible::off).size(), 1U);
}

TEST(Alternatives, that_are_cut_otherwise_though_not_at_all_are_one) {
  const Problem problem{.collective = Collective::barrier};
  const Choice whole{.algorithm = find_algorithm(Collective::barrier, "dissemination"),
                     .cut = {.segment_bytes = 0, .window = default_cut.window}};
  const auto found = alternatives_for(problem, node, whole, Reproducible::run);
  const auto is_it = [&](const Alternative& one) { return one.choice.algorithm == whole.algorithm; };
  EXPECT_EQ(std::ranges::count_if(found, is_it), 1);
}

}  // namespace

}  // namespace espalier
