// SPDX-License-Identifier: Apache-2.0
#include "verify/verify.hpp"

#include "checks.hpp"
#include "schedule/builder.hpp"

namespace espalier::verify_test {
namespace {

using namespace hand_made;
using namespace checks;

constexpr Sample samples[] = {{1, 1}, {3, 1}, {5, 2}, {9, 4}};

TEST(Verify, tells_the_facts_of_a_right_schedule) {
  const Verdict verdict = verify({Collective::allreduce, 4}, schedules_of(4, ring_allreduce), {5, 2});
  ASSERT_EQ(verdict.error, "");
  EXPECT_EQ(verdict.findings.channels, 4u);
  EXPECT_EQ(verdict.findings.streams_per_channel, 3u);
  EXPECT_EQ(verdict.findings.events, 4u * 5 * (1 + 3 + 3 + 3 + 3 + 2));
  EXPECT_FALSE(verdict.findings.in_rank_order);
  EXPECT_EQ(verdict.findings.outputs.size(), 4u);
}

TEST(Verify, gives_the_expression_of_each_block) {
  const Verdict verdict = verify({Collective::allreduce, 3}, schedules_of(3, ring_allreduce), {2, 1});
  ASSERT_EQ(verdict.error, "");
  const auto text = [&](int block) {
    return verdict.findings.expressions->evaluate<std::string>(
        verdict.findings.outputs[0][block], [](Rank rank) { return std::to_string(rank); },
        [](const std::string& left, const std::string& right) { return "(" + left + right + ")"; });
  };
  EXPECT_EQ(text(0), "((01)2)") << "begins at its own rank and goes round";
  EXPECT_EQ(text(1), "((12)0)");
  EXPECT_EQ(text(2), "((20)1)");
}

TEST(Verify, finds_rank_order) {
  const Verdict verdict = verify({Collective::reduce, 4, 3}, schedules_of(4, chain_reduction), {2, 1});
  ASSERT_EQ(verdict.error, "");
  EXPECT_TRUE(verdict.findings.in_rank_order);
}

TEST(Verify, refuses_a_cut_that_does_not_exist) {
  EXPECT_NE(verify({Collective::bcast, 2}, schedules_of(2, chain_broadcast), {0, 1}).error, "");
  EXPECT_NE(verify({Collective::bcast, 2}, schedules_of(2, chain_broadcast), {1, 0}).error, "");
}

TEST(Prove, passes_what_is_right) {
  EXPECT_EQ(prove({Collective::bcast, 5}, schedules_of(5, chain_broadcast), samples).error, "");
  EXPECT_EQ(prove({Collective::reduce, 5, 4}, schedules_of(5, chain_reduction), samples).error, "");
  EXPECT_EQ(prove({Collective::allreduce, 5}, schedules_of(5, ring_allreduce), samples).error, "");
}

// Two ranks share the blocks of a message that is cut by rounding, and each gets the other's in an order of its own.
// In one message, or segment by segment.
TEST(Prove, passes_blocks_that_lie_apart_in_the_message) {
  const std::vector<std::int32_t> of_rank[] = {{4, 0, 2}, {3, 1}};
  for (const bool merged : {true, false}) {
    for (const bool in_place : {true, false}) {
      const auto exchange = [&](Rank me, Rank) {
        Builder b({.contract = contract_of(Collective::allreduce), .shape = {2}, .me = me, .in_place = in_place});
        b.cut(5);
        b.merge_streams(merged);
        const Range mine = b.listed(of_rank[me]), theirs = b.listed(of_rank[1 - me]);
        Bundle given;
        for (int k = 0; k < theirs.count; ++k) given.push_back(b.input(theirs.part(k, 1)));
        b.send(1 - me, given);
        const Stream sum = b.reduce_in_rank_order(1 - me, b.input(mine), b.recv(1 - me, mine));
        b.send(1 - me, sum);
        b.output({sum, b.recv(1 - me, theirs)});
        return b.finish();
      };
      const Case problem{Collective::allreduce, 2, 0, in_place ? Case::InPlaceAt::all : Case::InPlaceAt::none};
      EXPECT_EQ(prove(problem, schedules_of(2, exchange), samples).error, "") << merged << in_place;
    }
  }
}

// Which ranks call in place: only they know it.
TEST(Case, knows_who_is_in_place) {
  Case problem{Collective::allreduce, 4, 0, Case::InPlaceAt::mixed};
  EXPECT_FALSE(problem.in_place_at(0));
  EXPECT_TRUE(problem.in_place_at(1));
  problem = {Collective::reduce, 4, 2, Case::InPlaceAt::all};
  EXPECT_TRUE(problem.in_place_at(2));
  EXPECT_FALSE(problem.in_place_at(1)) << "has no output";
  problem = {Collective::bcast, 4, 2, Case::InPlaceAt::none};
  EXPECT_TRUE(problem.in_place_at(1));
}

}  // namespace
}  // namespace espalier::verify_test
