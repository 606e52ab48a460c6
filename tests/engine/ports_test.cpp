// SPDX-License-Identifier: Apache-2.0
// What schedules offer to transports that do more than match messages.
#include <gtest/gtest.h>

#include <numeric>

#include "../support/built.hpp"
#include "at_once.hpp"
#include "engine/lending.hpp"
#include "engine/openings.hpp"

namespace espalier::ports_test {
namespace {

std::vector<Opening> openings_of(Collective collective, const char* name, Rank ranks, Rank me, int segments,
                                 bool in_place = false) {
  const Schedule schedule = built(collective, name, {.size = ranks}, me, {.in_place = in_place});
  const Partition partition({.blocks = schedule.blocks, .elements = 24, .segments = segments});
  return find_openings(schedule, Layout(schedule, partition, 2), 4);
}

TEST(Openings, of_a_chain_are_all_its_segments_in_the_output) {
  const std::vector<Opening> openings = openings_of(Collective::bcast, "chain", 3, 1, 4);
  ASSERT_EQ(openings.size(), 1u);
  EXPECT_EQ(openings[0].peer, 0);
  EXPECT_FALSE(openings[0].in_scratch);
  ASSERT_EQ(openings[0].landings.size(), 4u);
  EXPECT_EQ(openings[0].landings[3].offset, 18u * 4);
  EXPECT_EQ(openings[0].landings[3].bytes, 6u * 4);
}

TEST(Openings, are_one_for_each_peer_that_an_operation_walks_along) {
  const std::vector<Opening> openings = openings_of(Collective::alltoall, "spread", 4, 2, 1);
  ASSERT_EQ(openings.size(), 3u);
  for (const Opening& opening : openings) EXPECT_EQ(opening.landings.size(), 1u);
}

TEST(Openings, leave_out_memory_that_is_still_in_use) {
  EXPECT_TRUE(openings_of(Collective::reduce, "chain", 3, 1, 8).empty());  // a ring of scratch slots
  EXPECT_TRUE(openings_of(Collective::bcast, "chain", 3, 0, 8).empty());   // the root receives nothing
}

TEST(Lenders, are_receives_that_a_reduction_alone_reads) {
  const Schedule chain = built(Collective::reduce, "chain", {.size = 3}, 1);
  const std::vector<Lenders> lenders = find_lenders(chain);
  int lent = 0;
  for (std::size_t k = 0; k < lenders.size(); ++k) {
    for (const auto& lender : {lenders[k].left, lenders[k].right}) {
      if (!lender) continue;
      ++lent;
      EXPECT_EQ(chain.operations[k].kind, Operation::Kind::reduce);
      EXPECT_EQ(chain.operations[*lender].kind, Operation::Kind::recv);
    }
  }
  EXPECT_EQ(lent, 1);
  for (const auto& [left, right] : find_lenders(built(Collective::bcast, "chain", {.size = 3}, 1))) {
    EXPECT_FALSE(left || right);
  }
}

void add(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  for (std::size_t i = 0; i < elements; ++i) {
    static_cast<int*>(target)[i] = static_cast<const int*>(left)[i] + static_cast<const int*>(right)[i];
  }
}

// A call of three ranks, in eight segments.
template <class Ports>
at_once::Outcome outcome_of(Collective collective, const char* name) {
  std::vector<Schedule> schedules;
  std::vector<std::vector<int>> inputs(3, std::vector<int>(24)), outputs(3, std::vector<int>(24));
  for (Rank rank = 0; rank < 3; ++rank) schedules.push_back(built(collective, name, {.size = 3}, rank));
  const Partition partition({.blocks = schedules[0].blocks, .elements = 24, .segments = 8});
  std::vector<std::vector<Participant>> runs(1);
  for (std::size_t rank = 0; rank < 3; ++rank) {
    runs[0].push_back(
        {schedules[rank],
         {reinterpret_cast<const std::byte*>(inputs[rank].data()), reinterpret_cast<std::byte*>(outputs[rank].data())},
         partition});
  }
  return at_once::run<Ports>(runs, {.stride_bytes = sizeof(int), .reduction = {add, nullptr}, .copy = {}}, 2, 7);
}

TEST(OpeningPort, lets_messages_land_before_they_are_asked_for) {
  const auto outcome = outcome_of<at_once::OnePath<OpeningMemoryPort>>(Collective::bcast, "chain");
  EXPECT_EQ(outcome.error, "");
  EXPECT_GT(outcome.landed_early, 0);
}

TEST(LendingPort, reduces_messages_where_they_lie) {
  const auto outcome = outcome_of<at_once::OnePath<LendingMemoryPort>>(Collective::reduce, "chain");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.lent, 8);  // in the middle; the root receives in its output
}

TEST(CompositePort, is_each_of_its_ports_for_the_paths_of_that) {
  const auto outcome = outcome_of<at_once::TwoPaths>(Collective::allreduce, "ring");
  EXPECT_EQ(outcome.error, "");
}

}  // namespace
}  // namespace espalier::ports_test
