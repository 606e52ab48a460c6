// SPDX-License-Identifier: Apache-2.0
// What a few segments say of a long call, next to the same call played whole.
#include "simulate/long_call.hpp"

#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "lattices.hpp"
#include "topology/readers/toml_reader.hpp"

namespace espalier::long_call_test {
namespace {

using namespace lattices;

constexpr std::size_t segment = 16 << 10, segments = 1000;

// Played whole there is nothing to continue.
LongCallTime played_whole(Simulator& simulator, const Choice& choice, const Problem& problem) {
  return simulate_call(simulator, choice, problem, {.fewest_segments = static_cast<int>(segments)});
}

TEST(LongCall, continues_what_it_plays_to_the_time_of_the_whole) {
  const Machine machine = lattice({{5, true}, {4, true}, {3, true}});
  Simulator simulator(machine, one_each(machine));
  for (const auto& [collective, name] : {std::pair{Collective::bcast, "trinaryx3"},
                                         {Collective::reduce, "trinaryx3"},
                                         {Collective::allreduce, "trinaryx3"},
                                         {Collective::allreduce, "trinaryx3_fused"},
                                         {Collective::bcast, "chain"},
                                         {Collective::allreduce, "ring"}}) {
    const std::size_t blocks = name == std::string_view("ring") ? 60 : 3;
    const Choice choice = choice_of(collective, name, segment);
    const Problem problem = problem_of(collective, blocks * segments / (blocks == 60 ? 10 : 1) * segment);
    const LongCallTime continued = simulate_call(simulator, choice, problem);
    const LongCallTime whole = played_whole(simulator, choice, problem);
    EXPECT_FALSE(continued.was_whole()) << name;
    EXPECT_TRUE(whole.was_whole()) << name;
    EXPECT_LE(continued.off, 0.01) << name;
    EXPECT_NEAR(continued.seconds, whole.seconds, 0.01 * whole.seconds) << name;
  }
}

// Inside its site a tree of this kind sends once all has left for the other one.
TEST(LongCall, does_not_take_the_pace_of_one_part_for_that_of_all) {
  const std::string site = "[[site]]\nnics = 2\nrate = 1e9\nnodes = ";
  const Machine machine = machine_from_toml(
      "hop_seconds = 1e-6\n" + site + "\"a[0-7]\"\n" + site + "\"b[0-7]\"\n[wan]\nseconds = 1e-3", "two.toml");
  Simulator simulator(machine, one_each(machine));
  const Choice choice = choice_of(Collective::bcast, "sites_suspended", segment);
  const Problem problem = problem_of(Collective::bcast, segments * segment);
  const double whole = played_whole(simulator, choice, problem).seconds;
  EXPECT_NEAR(simulate_call(simulator, choice, problem).seconds, whole, 0.02 * whole);
}

// Here blocks go as a whole, and have no pace.
TEST(LongCall, knows_calls_without_a_pipeline) {
  const Machine machine = machine_from_toml("hop_seconds = 1e-6\n[rails]\nrate = 1e9\nnodes = \"n[0-7]\"", "m.toml");
  Simulator simulator(machine, one_each(machine));
  const Choice choice = choice_of(Collective::allreduce, "rabenseifner", segment);
  EXPECT_GT(simulate_call(simulator, choice, problem_of(Collective::allreduce, segments * segment)).seconds, 0);
}

TEST(LongCall, plays_short_calls_whole) {
  const Machine machine = lattice({{3, true}, {3, true}});
  Simulator simulator(machine, one_each(machine));
  const Choice choice = choice_of(Collective::allreduce, "trinaryx3_fused", segment);
  const LongCallTime time = simulate_call(simulator, choice, problem_of(Collective::allreduce, 20 * segment));
  EXPECT_EQ(time.played, std::vector{10});
  EXPECT_EQ(time.off, 0);
}

TEST(LongCall, compares_with_a_play_of_half_the_length_where_a_longer_one_takes_too_long) {
  const Machine machine = lattice({{5, true}, {4, true}, {3, true}});
  Simulator simulator(machine, one_each(machine));
  const Choice choice = choice_of(Collective::allreduce, "trinaryx3_fused", segment);
  const Problem problem = problem_of(Collective::allreduce, 3 * segments * segment);
  const LongCallTime time = simulate_call(simulator, choice, problem, {.even_within = 0, .most_again = 1});
  ASSERT_EQ(time.played.size(), 3U);
  EXPECT_EQ(time.played[1], time.played[2] / 2);
  EXPECT_TRUE(time.was_compared());
}

TEST(LongCall, says_that_nothing_was_compared_where_one_more_play_is_too_long) {
  const Machine machine = lattice({{5, true}, {4, true}, {3, true}});
  Simulator simulator(machine, one_each(machine));
  const Choice choice = choice_of(Collective::allreduce, "trinaryx3", segment);
  const LongCallTime time = simulate_call(simulator, choice, problem_of(Collective::allreduce, 3 * segments * segment),
                                          {.most_messages = 1, .most_again = 1});
  EXPECT_EQ(time.played.size(), 2U);
  EXPECT_FALSE(time.was_compared());
}

}  // namespace
}  // namespace espalier::long_call_test
