// SPDX-License-Identifier: Apache-2.0
#include "select/in_memory.hpp"

#include <gtest/gtest.h>

#include "algorithms/unfit.hpp"

namespace espalier {
namespace {

constexpr std::size_t all_sizes[] = {0, 8, 4 << 10, 64 << 10, 1 << 20, 8 << 20};

Problem of_bytes(Collective collective, std::size_t bytes) {
  return {.collective = collective, .count = bytes / 8, .element_bytes = 8, .by_kernel = true};
}

void expect_a_choice_for(const Problem& problem, const Shape& shape) {
  const auto choice = choice_in_memory(problem, shape);
  ASSERT_TRUE(choice && !choice->native()) << static_cast<int>(problem.collective) << ", " << problem.bytes() << " B";
  EXPECT_EQ(choice->algorithm->collective, problem.collective);
  EXPECT_EQ(unfit_for(*choice->algorithm, problem, shape), nullptr);
}

TEST(InMemory, every_collective_of_two_ranks_has_an_algorithm_at_every_size) {
  for (const Collective collective : all_collectives) {
    for (const std::size_t bytes : all_sizes) {
      expect_a_choice_for(of_bytes(collective, bytes), {.size = 2, .in_memory = true});
    }
  }
}

TEST(InMemory, every_short_call_of_a_crowd_has_one_unless_the_mpi_yields) {
  for (const Rank ranks : {3, 4, 5, 8, 32}) {
    for (const Collective collective : all_collectives) {
      const Problem problem = of_bytes(collective, 8);
      Shape shape{.size = ranks, .in_memory = true, .is_crowded = true};
      EXPECT_TRUE(choice_in_memory(problem, shape)) << static_cast<int>(collective) << ", " << ranks;
      shape.mpi_yields = true;
      EXPECT_FALSE(choice_in_memory(problem, shape));
    }
  }
}

TEST(InMemory, long_calls_of_a_crowd_are_ours_where_that_was_faster) {
  for (const bool mpi_yields : {false, true}) {
    const Shape shape{.size = 8, .in_memory = true, .is_crowded = true, .mpi_yields = mpi_yields};
    for (const Collective one : {Collective::bcast, Collective::reduce, Collective::allreduce, Collective::gather}) {
      expect_a_choice_for(of_bytes(one, 1 << 20), shape);
    }
    EXPECT_FALSE(choice_in_memory(of_bytes(Collective::allgather, 1 << 20), shape));
  }
}

TEST(InMemory, says_nothing_of_others) {
  const Problem problem = of_bytes(Collective::allreduce, 1 << 20);
  EXPECT_FALSE(choice_in_memory(problem, {.size = 2}));
  EXPECT_FALSE(choice_in_memory(problem, {.size = 4, .in_memory = true}));
  EXPECT_FALSE(choice_in_memory(problem, {.size = 4, .is_crowded = true}));
}

TEST(InMemory, leaves_what_the_mpi_adds_to_the_mpi) {
  Problem problem = of_bytes(Collective::allreduce, 1 << 20);
  problem.by_kernel = false;
  EXPECT_FALSE(choice_in_memory(problem, {.size = 2, .in_memory = true}));
}

// Which all ranks must decide alike, whatever each of them knows.
TEST(InMemory, does_not_ask_for_sizes_that_not_all_ranks_know) {
  const Shape shape{.size = 3, .in_memory = true, .is_crowded = true};
  Problem problem = of_bytes(Collective::alltoall, 8);
  problem.is_uneven = true;
  const auto choice = choice_in_memory(problem, shape);
  problem.count = 1 << 20;
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->algorithm, choice_in_memory(problem, shape)->algorithm);
}

}  // namespace
}  // namespace espalier
