// SPDX-License-Identifier: Apache-2.0
#include "verify/order_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "algorithms/tree_flows.hpp"

namespace espalier::order_check_test {
namespace {

// Small ones, with and without a network: an algorithm that needs none can be built on all.
std::vector<SampleNetwork> shapes_for(const Algorithm& algorithm) {
  std::vector<SampleNetwork> shapes;
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.shape.size <= 9 && exists_for(algorithm, sample.shape)) shapes.push_back(sample);
  }
  if (algorithm.needs != Needs::nothing) return shapes;
  for (Rank size = 4; size <= 9; ++size) {
    if (exists_for(algorithm, {size})) shapes.push_back({"", {size}});
  }
  return shapes;
}

// What is found wrong first among these ranks.
std::string refusal(const Algorithm& algorithm, const SampleNetwork& among) {
  proof::OrderCheck order;
  for (const SweepCase& one : sweep_cases(algorithm, among, {})) {
    const Verdict verdict = verify(one.problem, one.build(), {1, 1});
    if (!verdict.ok()) return verdict.error;
    if (std::string wrong = order.check(one, verdict.findings); !wrong.empty()) return wrong;
  }
  return {};
}

std::string refusal(const Algorithm& algorithm) {
  for (const SampleNetwork& among : shapes_for(algorithm)) {
    if (std::string wrong = refusal(algorithm, among); !wrong.empty()) return wrong;
  }
  return {};
}

std::set<std::string_view> claimed_classes() {
  std::set<std::string_view> names;
  for (const Algorithm& algorithm : registry()) names.insert(algorithm.order.name);
  names.erase("");
  return names;
}

// So each claim is as wide as it may be, too: no two classes are one.
TEST(OrderCheck, refuses_every_claim_but_the_right_one) {
  for (const Algorithm& algorithm : registry()) {
    if (!contract_of(algorithm.collective).reduces) continue;
    EXPECT_EQ(refusal(algorithm), "") << algorithm.name;
    for (const std::string_view name : claimed_classes()) {
      if (name == algorithm.order.name) continue;
      // With a radix of 2, the only one that recursive doubling is compared with, allreduce:levels does add alike.
      if (name == "levels" && algorithm.name == "recursive_doubling") continue;
      Algorithm liar = algorithm;
      liar.order.name = name;
      EXPECT_NE(refusal(liar).find("both claim the order class '" + std::string(name) + "'"), std::string::npos)
          << name_of(algorithm.collective) << ":" << algorithm.name << " is taken for one of class " << name;
    }
  }
}

TEST(OrderCheck, wants_a_claim_of_each_algorithm_that_adds) {
  Algorithm silent = *find_algorithm(Collective::reduce, "chain");
  silent.order = {};
  EXPECT_EQ(refusal(silent), "it adds, but claims no order class");
}

// A chain for a short message, a binary tree for a long one.
void build_by_length(Builder& b) { reduce_up(b, complete_tree(b.rank(), b.size(), b.root(), b.pieces() == 1 ? 1 : 2)); }

TEST(OrderCheck, wants_to_be_told_if_the_order_depends_on_the_cut) {
  Algorithm algorithm{.name = "by_length",
                      .collective = Collective::reduce,
                      .order = {"by_length"},
                      .takes_pieces = true,
                      .build = build_by_length};
  EXPECT_EQ(refusal(algorithm), "the order of the operands depends on how the message is cut, against its claim");
  algorithm.order.depends_on_cut = true;
  EXPECT_EQ(refusal(algorithm), "");
}

// As if it were a binary tree there.
TEST(OrderCheck, wants_the_same_order_whichever_ranks_are_in_place) {
  const auto chain = find_algorithm(Collective::reduce, "chain");
  const auto binary = find_algorithm(Collective::reduce, "binary");
  proof::OrderCheck order;
  SweepCase one{.algorithm = chain, .problem = {Collective::reduce, 8}};
  EXPECT_EQ(order.check(one, verify(one.problem, one.build(), {1, 1}).findings), "");
  const SweepCase other{.algorithm = binary, .problem = {Collective::reduce, 8}};
  one.problem.in_place = Case::InPlaceAt::all;
  EXPECT_EQ(order.check(one, verify(other.problem, other.build(), {1, 1}).findings),
            "the order of the operands depends on who is in place");
}

}  // namespace
}  // namespace espalier::order_check_test
