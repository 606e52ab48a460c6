// SPDX-License-Identifier: Apache-2.0
#include "policy/selection/in_turn.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "algorithms/unfit.hpp"
#include "topology/ranks_by_node.hpp"
#include "verify/sample_networks.hpp"

namespace espalier::in_turn_test {
namespace {

constexpr Problem sum{
    .collective = Collective::allreduce, .count = 100, .element_bytes = 8, .arithmetic = Arithmetic::commutative};

std::set<const Algorithm*> fit_for(const Problem& problem, const Shape& shape) {
  std::set<const Algorithm*> fit = {nullptr};
  for (const Algorithm& algorithm : registry()) {
    if (unfit_for(algorithm, problem, shape) == nullptr) fit.insert(&algorithm);
  }
  return fit;
}

std::set<const Algorithm*> first_round(const Problem& problem, const Shape& shape) {
  InTurnPolicy policy(problem, shape);
  std::set<const Algorithm*> seen;
  for (std::size_t k = 0; k < fit_for(problem, shape).size(); ++k) seen.insert(policy.run(k).choice.algorithm);
  return seen;
}

TEST(InTurnPolicy, gives_the_native_mpi_and_all_that_fit_before_any_comes_again) {
  EXPECT_EQ(first_round(sum, {8}), fit_for(sum, {8}));
  Problem in_order = sum;
  in_order.arithmetic = Arithmetic::rank_order;
  EXPECT_EQ(first_round(in_order, {8}), fit_for(in_order, {8}));
  for (const SampleNetwork& sample : sample_networks()) {
    EXPECT_EQ(first_round(sum, sample.shape), fit_for(sum, sample.shape)) << sample.name;
  }
}

TEST(InTurnPolicy, changes_at_every_call) {
  InTurnPolicy policy(sum, {8});
  for (std::uint64_t ordinal = 0; ordinal < 100; ++ordinal) {
    const RunCalls run = policy.run(ordinal);
    EXPECT_EQ(run.calls, 1u);
    EXPECT_NE(run.choice.algorithm, policy.run(ordinal + 1).choice.algorithm) << ordinal;
  }
}

TEST(InTurnPolicy, has_leaders_where_nodes_have_several_ranks) {
  const RanksByNode nodes(std::vector<int>{0, 0, 1, 1, 2, 2});
  InTurnPolicy flat(sum, {6}), over_nodes(sum, {.size = 6, .by_node = &nodes});
  std::set<int> leaders;
  for (std::uint64_t ordinal = 0; ordinal < 500; ++ordinal) {
    EXPECT_EQ(flat.run(ordinal).choice.leaders, 0);
    const Choice choice = over_nodes.run(ordinal).choice;
    if (!choice.native()) leaders.insert(choice.leaders);
  }
  EXPECT_EQ(leaders, (std::set<int>{0, 1, 2, 3, 64}));
}

// Ranks that ask more often, or begin later, are told the same.
TEST(InTurnPolicy, is_a_function_of_problem_shape_and_ordinal) {
  InTurnPolicy policy(sum, {8}), other(sum, {8});
  for (std::uint64_t ordinal = 0; ordinal < 100; ++ordinal) static_cast<void>(policy.run(ordinal));
  for (const std::uint64_t ordinal : {99, 7, 0, 1000000}) {
    EXPECT_EQ(policy.run(ordinal).choice, other.run(ordinal).choice) << ordinal;
  }
}

TEST(InTurnPolicy, cuts_each_algorithms_messages_by_all_parameters) {
  InTurnPolicy policy(sum, {8});
  std::map<const Algorithm*, std::set<std::tuple<std::size_t, int, int>>> cuts;
  const std::size_t algorithms = fit_for(sum, {8}).size();
  for (std::uint64_t ordinal = 0; ordinal < 60 * algorithms; ++ordinal) {
    const Choice choice = policy.run(ordinal).choice;
    if (!choice.native()) cuts[choice.algorithm].insert({choice.cut.segment_bytes, choice.cut.window, choice.radix});
  }
  ASSERT_EQ(cuts.size(), algorithms - 1);
  for (const auto& [algorithm, of_it] : cuts) {
    EXPECT_EQ(of_it.size(), 60u) << algorithm->name;
    EXPECT_EQ(std::get<0>(*of_it.begin()), 0u) << "not cut at all";
    EXPECT_EQ(std::get<0>(*of_it.rbegin()), 400u) << "cut in two";
  }
}

}  // namespace
}  // namespace espalier::in_turn_test
