// SPDX-License-Identifier: Apache-2.0
// Simulated times next to those that can be worked out by hand, and to the estimate's where no two messages share a
// link: there the two must agree.
#include "simulate/simulator.hpp"

#include <gtest/gtest.h>

#include "algorithms/plan.hpp"
#include "estimate/running_time.hpp"
#include "lattices.hpp"
#include "topology/readers/toml_reader.hpp"

namespace espalier::simulator_test {
namespace {

using namespace lattices;

SimulatedMessage message_of(const Choice& choice, const Problem& problem, std::span<const Schedule> ranks) {
  return {partition_for(choice, problem, ranks.front()), problem.element_bytes, choice.cut.window};
}

double simulated(Simulator& simulator, const Choice& choice, const Problem& problem) {
  const std::vector<Schedule> ranks = schedules_of(choice, problem, simulator.shape());
  return simulator.play(ranks, message_of(choice, problem, ranks)).seconds;
}

double estimated(const Simulator& simulator, const Choice& choice, const Problem& problem) {
  const std::vector<Schedule> ranks = schedules_of(choice, problem, simulator.shape());
  return running_time(ranks, message_of(choice, problem, ranks), *simulator.shape().network);
}

TEST(Simulator, sends_a_message_in_a_put_and_its_bytes) {
  const Machine machine = lattice({{2, false}});
  Simulator simulator(machine, one_each(machine));
  const double seconds =
      simulated(simulator, choice_of(Collective::bcast, "linear", 0), problem_of(Collective::bcast, 1000000));
  EXPECT_NEAR(seconds, hop + 1000000 / rate, 1e-11);
}

TEST(Simulator, takes_what_a_reduction_costs_from_the_machine_file) {
  const std::string text =
      "hop_seconds = 1e-6\narithmetic = 5e9\n"
      "[mesh]\nextents = [2]\nrate = 1e9\nnodes = \"n[0-1]\"\n"
      "[simulation]\n";
  Machine machine = machine_from_toml(text, "my.toml");
  Simulator simulator(machine, one_each(machine));
  const Choice choice = choice_of(Collective::reduce, "binomial", 0);
  const Problem problem = problem_of(Collective::reduce, 1000000);
  const double without = hop + 1000000 / rate + 1000000 / 5e9;
  EXPECT_NEAR(simulated(simulator, choice, problem), without, 1e-11);
  machine.simulated = machine_from_toml(text + "reduction_seconds = 3e-4\n", "my.toml").simulated;
  EXPECT_NEAR(simulated(simulator, choice, problem), without + 3e-4, 1e-11);
}

TEST(Simulator, begins_after_what_a_call_costs_and_ends_when_a_rank_knows_what_has_arrived) {
  Machine machine = lattice({{2, false}});
  machine.simulated.call_seconds = 1e-5;
  machine.simulated.arrival_seconds = 2e-6;
  Simulator simulator(machine, one_each(machine));
  const double seconds =
      simulated(simulator, choice_of(Collective::bcast, "linear", 0), problem_of(Collective::bcast, 1000000));
  EXPECT_NEAR(seconds, 1e-5 + hop + 1000000 / rate + 2e-6, 1e-11);
}

TEST(Simulator, finds_the_same_with_and_without_simgrid_where_no_link_is_shared) {
  const Machine machine = lattice({{4, true}, {3, true}, {3, true}});
  Simulator simulator(machine, one_each(machine));
  const Choice choice = choice_of(Collective::allreduce, "trinaryx3_fused", 16 << 10);
  const Problem problem = problem_of(Collective::allreduce, std::size_t{1} << 20);
  const double alone = simulated(simulator, choice, problem);
  simulator.ask_simgrid_always();
  EXPECT_NEAR(simulated(simulator, choice, problem), alone, 1e-3 * alone);
}

TEST(Simulator, agrees_with_the_estimate_where_each_message_has_its_link_alone) {
  const Machine machine = lattice({{3, true}, {3, true}, {3, true}});
  Simulator simulator(machine, one_each(machine));
  for (const auto& [collective, name] : {std::pair{Collective::bcast, "trinaryx3"},
                                         {Collective::bcast, "trinaryx6"},
                                         {Collective::reduce, "trinaryx3"},
                                         {Collective::allreduce, "trinaryx3"},
                                         {Collective::allreduce, "trinaryx3_fused"}}) {
    const Choice choice = choice_of(collective, name, 16 << 10);
    for (const std::size_t bytes : {std::size_t{48}, std::size_t{1} << 20}) {
      const Problem problem = problem_of(collective, bytes);
      const double expected = estimated(simulator, choice, problem);
      EXPECT_NEAR(simulated(simulator, choice, problem), expected, 0.02 * expected) << name << " " << bytes;
    }
  }
}

}  // namespace
}  // namespace espalier::simulator_test
