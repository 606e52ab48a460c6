// SPDX-License-Identifier: Apache-2.0
#include "verify/mutate.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iomanip>
#include <iostream>

#include "../engine/hand_made.hpp"

namespace espalier::mutate_test {
namespace {

void print(const MutationResult& result) {
  std::cout << "mutation               made  caught  proved harmless  (tried out)\n";
  for (int kind = 0; kind < mutation_kinds; ++kind) {
    const MutationCount& count = result.counts[kind];
    std::cout << std::left << std::setw(20) << name_of(static_cast<Mutation>(kind)) << std::right << std::setw(7)
              << count.made << std::setw(8) << count.caught << std::setw(17) << count.harmless << std::setw(13)
              << count.tried << '\n';
  }
  const MutationCount total = result.total();
  std::cout << "in all " << total.made << ", caught " << total.caught << ", proved harmless " << total.harmless
            << ", in " << result.seconds << " s\n";
}

const MutationCount& of(const MutationResult& result, Mutation mutation) {
  return result.counts[static_cast<int>(mutation)];
}

// All of them with THOROUGH_TESTS in the environment, as in `make test-long`.
MutationOptions drawn() {
  if (std::getenv("THOROUGH_TESTS") != nullptr) return {};
  return {.max_per_case = 30, .trial_share = 2};
}

TEST(Mutations, of_all_algorithms_are_caught_or_proved_harmless) {
  const MutationResult result = mutate(drawn());
  print(result);
  for (const std::string& refutation : result.refutations) ADD_FAILURE() << refutation;
  const MutationCount total = result.total();
  EXPECT_EQ(total.made, total.caught + total.harmless);
  EXPECT_EQ(total.refuted, 0u);
  EXPECT_GT(total.tried, 500u);
  // These can never be harmless: a message too many or too few, or one that goes astray.
  for (const Mutation mutation :
       {Mutation::drop_operation, Mutation::change_peer, Mutation::change_channel, Mutation::change_block}) {
    EXPECT_GT(of(result, mutation).made, 0u) << name_of(mutation);
    EXPECT_EQ(of(result, mutation).harmless, 0u) << name_of(mutation);
  }
  // These always are: the list of what must hold has no order, and saying it twice changes nothing.
  EXPECT_EQ(of(result, Mutation::double_dependency).caught, 0u);
  EXPECT_EQ(of(result, Mutation::swap_dependencies).caught, 0u);
  // And hardly any dependency is there for nothing, but for those that keep a broadcast to its rounds or an exchange to
  // its steps, which is about time.
  EXPECT_GT(result.dropped_for_data.caught, 20 * result.dropped_for_data.harmless);
  const MutationCount& dropped = of(result, Mutation::drop_dependency);
  EXPECT_GT(dropped.made, result.dropped_for_data.made);
}

TEST(Mutations, leave_the_rest_of_the_schedule_as_it_was) {
  const Schedule schedule = hand_made::ring_allreduce(1, 4);
  for (const Mutant& mutant : make_mutants(schedule, 1, 4)) {
    const std::size_t operations = mutant.schedule.operations.size();
    const bool fewer = mutant.mutation == Mutation::drop_operation,
               more = mutant.mutation == Mutation::double_operation;
    EXPECT_EQ(operations, schedule.operations.size() - (fewer ? 1 : 0) + (more ? 1 : 0)) << name_of(mutant.mutation);
    EXPECT_EQ(mutant.schedule.areas.size(), schedule.areas.size());
    for (const Operation& op : mutant.schedule.operations) {
      EXPECT_LE(op.first_dependency + op.dependency_count, mutant.schedule.dependencies.size());
    }
  }
}

TEST(Mutations, renumber_what_depends_on_a_dropped_operation) {
  const Schedule schedule = hand_made::ring_allreduce(1, 4);
  const std::vector<Mutant> mutants = make_mutants(schedule, 1, 4);
  ASSERT_EQ(mutants[0].mutation, Mutation::drop_operation);
  const Schedule& without_first = mutants[0].schedule;
  ASSERT_EQ(without_first.operations[0].kind, Operation::Kind::recv);
  EXPECT_EQ(without_first.dependencies_of(without_first.operations[0])[0], hand_made::lagging(1));
}

}  // namespace
}  // namespace espalier::mutate_test
