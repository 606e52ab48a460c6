// SPDX-License-Identifier: Apache-2.0
#include "policy/selection/selector.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"
#include "select/forced.hpp"
#include "topology/network.hpp"

namespace espalier::selector_test {
namespace {

constexpr std::size_t MiB = 1 << 20;

Settings settings(std::initializer_list<const char*> environment) {
  ParsedSettings parsed = checked_settings({environment.begin(), environment.size()});
  EXPECT_TRUE(parsed.ok()) << parsed.error;
  return parsed.settings;
}

Problem reduction(Collective collective, std::size_t bytes, Arithmetic arithmetic) {
  return {.collective = collective, .count = bytes / 8, .element_bytes = 8, .arithmetic = arithmetic};
}

Problem broadcast(std::size_t bytes) { return {.collective = Collective::bcast, .count = bytes}; }

Choice choice_of(const Selector& selector, const Problem& problem, const Shape& shape) {
  return selector.decide(problem, shape).first_choice();
}

std::string chosen(const Selector& selector, const Problem& problem, Rank ranks) {
  const Choice choice = choice_of(selector, problem, {ranks});
  EXPECT_STRNE(choice.reason, "");
  return choice.native() ? "native" : std::string(choice.algorithm->name);
}

TEST(Selector, leaves_small_messages_few_ranks_and_barriers_to_the_native_mpi) {
  const Selector selector{Settings()};
  EXPECT_EQ(chosen(selector, broadcast(1024), 64), "native");
  EXPECT_EQ(chosen(selector, broadcast(0), 64), "native");
  EXPECT_EQ(chosen(selector, broadcast(64 * MiB), 2), "native");
  EXPECT_EQ(chosen(selector, broadcast(64 * MiB), 1), "native");
  EXPECT_EQ(chosen(selector, {.collective = Collective::barrier}, 64), "native");
}

TEST(Selector, takes_the_table_for_large_messages_of_several_ranks) {
  const Selector selector{Settings()};
  EXPECT_EQ(chosen(selector, broadcast(MiB), 8), "circulant");
  EXPECT_EQ(chosen(selector, reduction(Collective::allreduce, MiB, Arithmetic::exact), 8), "ring");
  EXPECT_EQ(chosen(selector, reduction(Collective::allreduce, MiB, Arithmetic::commutative), 8), "ring");
  EXPECT_EQ(chosen(selector, reduction(Collective::reduce, MiB, Arithmetic::exact), 8), "rabenseifner");
}

TEST(Selector, leaves_operations_that_do_not_commute_to_the_native_mpi_unless_forced) {
  const Problem problem = reduction(Collective::allreduce, MiB, Arithmetic::rank_order);
  EXPECT_EQ(chosen(Selector{Settings()}, problem, 8), "native");
  EXPECT_EQ(chosen(Selector(settings({"ESPALIER_ALGORITHM=allreduce:recursive_doubling"})), problem, 8),
            "recursive_doubling");
}

TEST(Selector, obeys_a_forced_choice_with_its_parameters) {
  const Selector selector(settings({"ESPALIER_ALGORITHM=allreduce:tree,segment=1KiB,window=9;bcast:native"}));
  const Choice choice = choice_of(selector, reduction(Collective::allreduce, 8, Arithmetic::commutative), {3});
  ASSERT_FALSE(choice.native());
  EXPECT_EQ(choice.algorithm, find_algorithm(Collective::allreduce, "tree"));
  EXPECT_EQ(choice.cut, (Cut{.segment_bytes = 1024, .window = 9}));
  EXPECT_STREQ(choice.reason, "forced");
  EXPECT_EQ(chosen(selector, broadcast(64 * MiB), 64), "native");
  EXPECT_EQ(chosen(selector, reduction(Collective::reduce, MiB, Arithmetic::exact), 8), "rabenseifner")
      << "other collectives are chosen as ever";
}

// Two sites, an equal number of nodes in each, a rank on each node.
Network two_sites(int nodes, NicUse nic_use) {
  Machine machine;
  std::vector<int> node_of;
  for (int node = 0; node < nodes; ++node) {
    machine.nodes.push_back({"n" + std::to_string(node), 2, 2 * node / nodes});
    node_of.push_back(node);
  }
  machine.nic_bytes_per_second = 1e6;
  machine.wan_seconds = 0.016;
  return Network(machine, node_of, nic_use);
}

TEST(Selector, gives_a_forced_algorithm_what_the_network_wants_where_the_user_says_nothing) {
  constexpr std::size_t KiB = 1024;
  const auto cut = [](const char* forced, const Network& network) {
    const Shape shape{static_cast<Rank>(network.nodes()), &network};
    return choice_of(Selector(settings({forced})), broadcast(MiB), shape).cut;
  };
  for (const int nodes : {8, 200}) {  // played through, and by formula
    const Network one = two_sites(nodes, NicUse::one), all = two_sites(nodes, NicUse::all);
    // 32,000 bytes are under way on one NIC until their sender has learnt of it.
    EXPECT_EQ(cut("ESPALIER_ALGORITHM=bcast:linear,segment=4KiB", one).window, 4 + 8);
    EXPECT_EQ(cut("ESPALIER_ALGORITHM=bcast:linear,segment=4KiB", all).window, 4 + 16);
    EXPECT_EQ(cut("ESPALIER_ALGORITHM=bcast:linear,segment=4KiB,window=2", all).window, 2);
    EXPECT_EQ(cut("ESPALIER_ALGORITHM=bcast:linear", one).segment_bytes, 64 * KiB);
    EXPECT_EQ(cut("ESPALIER_ALGORITHM=bcast:linear", all).segment_bytes, 32 * KiB) << "for all NICs";
    EXPECT_LT(cut("ESPALIER_ALGORITHM=bcast:multilane", one).segment_bytes, 32 * KiB) << "by equation 3";
  }
}

TEST(Selector, leaves_a_call_to_the_native_mpi_when_the_forced_algorithm_would_be_wrong_for_it) {
  const Selector selector(settings({"ESPALIER_ALGORITHM=allreduce:ring"}));
  const Choice choice = choice_of(selector, reduction(Collective::allreduce, MiB, Arithmetic::rank_order), {8});
  EXPECT_TRUE(choice.native());
  EXPECT_STREQ(choice.reason, "it does not keep the operands in rank order, and the operation does not commute");
}

TEST(Selector, leaves_all_to_the_native_mpi_when_it_is_off_or_when_buffers_may_be_on_devices) {
  for (const char* variable : {"ESPALIER=off", "ESPALIER_DEVICE=yes"}) {
    const Selector selector(settings({variable, "ESPALIER_ALGORITHM=bcast:chain"}));
    EXPECT_EQ(chosen(selector, broadcast(MiB), 8), "native") << variable;
  }
}

TEST(Selector, keeps_reductions_native_only_where_their_order_shows_when_asked_for_reproducible_native) {
  const Selector selector(settings({"ESPALIER_REPRODUCIBLE=native", "ESPALIER_ALGORITHM=allreduce:ring"}));
  EXPECT_EQ(chosen(selector, reduction(Collective::allreduce, MiB, Arithmetic::commutative), 8), "native");
  EXPECT_EQ(chosen(selector, reduction(Collective::allreduce, MiB, Arithmetic::exact), 8), "ring");
  EXPECT_EQ(chosen(selector, broadcast(MiB), 8), "circulant");
}

TEST(Selector, decides_once_for_all_calls) {
  const Selector selector(settings({"ESPALIER_POLICY=estimate"}));
  for (const Collective collective : all_collectives) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{8}, 511 * 1024ul, 512 * 1024ul, 64 * MiB}) {
      for (const Arithmetic arithmetic : {Arithmetic::exact, Arithmetic::commutative, Arithmetic::rank_order}) {
        const Problem problem = reduction(collective, bytes, arithmetic);
        const Choice choice = choice_of(selector, problem, {16});
        const Selection selection = selector.decide(problem, {16});
        EXPECT_TRUE(selection.is_permanent());
        EXPECT_EQ(selection.choice, choice);
      }
    }
  }
}

TEST(Selector, gives_all_algorithms_in_turn_when_forced_to_but_only_where_it_may_choose_at_all) {
  const Problem sum = reduction(Collective::allreduce, MiB, Arithmetic::commutative);
  const Selection in_turn = Selector(settings({"ESPALIER_ALGORITHM=allreduce:in-turn"})).decide(sum, {8});
  ASSERT_FALSE(in_turn.is_permanent());
  EXPECT_NE(in_turn.policy->run(0).choice.algorithm, in_turn.policy->run(1).choice.algorithm);
  EXPECT_EQ(in_turn.policy->run(0).calls, 1u);
  const Selection native =
      Selector(settings({"ESPALIER_ALGORITHM=allreduce:in-turn", "ESPALIER_REPRODUCIBLE=native"})).decide(sum, {8});
  EXPECT_TRUE(native.is_permanent());
  EXPECT_TRUE(native.choice.native());
}

TEST(Explain, lists_every_candidate_once_and_says_why_one_is_unfit) {
  const Selector selector{Settings()};
  const Problem problem = reduction(Collective::allreduce, MiB, Arithmetic::rank_order);
  const auto candidates = selector.explain(problem, {8});
  const auto of_allreduce = [](const Algorithm& algorithm) { return algorithm.collective == Collective::allreduce; };
  const auto known = registry();
  ASSERT_EQ(candidates.size(), 1u + std::count_if(known.begin(), known.end(), of_allreduce));
  EXPECT_EQ(candidates[0].algorithm, nullptr);
  EXPECT_TRUE(candidates[0].chosen);
  for (const Candidate& candidate : std::span(candidates).subspan(1)) {
    EXPECT_EQ(candidate.eligible, candidate.algorithm->keeps_rank_order);
    EXPECT_EQ(std::string(candidate.reason).empty(), candidate.eligible);
    EXPECT_FALSE(candidate.chosen);
  }
}

TEST(Explain, marks_the_very_choice_that_choose_makes) {
  const Selector selector(settings({"ESPALIER_ALGORITHM=bcast:knomial,radix=5"}));
  int marked = 0;
  for (const Candidate& candidate : selector.explain(broadcast(MiB), {8})) {
    if (!candidate.chosen) continue;
    ++marked;
    EXPECT_EQ(candidate.algorithm, find_algorithm(Collective::bcast, "knomial"));
    EXPECT_EQ(candidate.radix, 5);
    EXPECT_STREQ(candidate.reason, "forced");
  }
  EXPECT_EQ(marked, 1);
}

}  // namespace
}  // namespace espalier::selector_test
