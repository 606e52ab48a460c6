// SPDX-License-Identifier: Apache-2.0
// The engine computes, bit by bit, what the proof says.
#include "verify/trial.hpp"

#include <gtest/gtest.h>

#include "checks.hpp"
#include "verify/sweep.hpp"

namespace espalier::trial_test {
namespace {

using namespace hand_made;
using namespace checks;

TEST(Trial, of_every_algorithm_gives_the_value_of_its_expression) {
  constexpr Sample samples[] = {{1, 4}, {3, 1}, {9, 4}};
  std::uint64_t seed = 1;
  for (const Algorithm& algorithm : registry()) {
    const SweepOptions options{.sizes = {1, 2, 3, 5, 8}};
    for (const SampleNetwork& among : sweep_shapes(algorithm, options)) {
      if (among.shape.size > 27) continue;
      for (const SweepCase& one : sweep_cases(algorithm, among, options)) {
        const Schedules ranks = one.build();
        const Verdict verdict = prove(one.problem, ranks, samples);
        ASSERT_EQ(verdict.error, "") << one.text();
        const bool carries_data = contract_of(algorithm.collective).carries_data;
        const auto blocks = static_cast<std::size_t>(ranks[0].blocks);
        Sample sample = samples[seed % 3];
        sample.is_uneven = one.is_uneven;
        const Trial trial{!carries_data ? 0 : one.is_uneven ? 13 : 13 * blocks + 5, sample, 1 + seed % 4, seed};
        EXPECT_EQ(run_trial(one.problem, ranks, verdict.findings, trial), "") << one.text();
        ++seed;
      }
    }
  }
}

// The findings of other schedules: the values must differ.
TEST(Trial, notices_another_expression) {
  const Case problem{Collective::allreduce, 3};
  const Schedules ranks = schedules_of(3, ring_allreduce);
  Verdict verdict = verify(problem, ranks, {1, 1});
  std::swap(verdict.findings.outputs[0][0], verdict.findings.outputs[0][1]);
  EXPECT_NE(run_trial(problem, ranks, verdict.findings, {30, {1, 1}, 1, 5}).find("another value"), std::string::npos);
}

TEST(Trial, notices_a_race_in_some_order) {
  const Case problem{Collective::reduce, 3, 2};
  Schedules ranks = schedules_of(3, chain_reduction);
  const Findings findings = verify(problem, ranks, {9, 2}).findings;
  ranks[1].dependencies[0] = {1, -100, Dependency::Kind::aligned};  // the ring's slots are filled too early
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    wrong += !run_trial(problem, ranks, findings, {900, {9, 2}, 1, seed}).empty();
  }
  EXPECT_GT(wrong, 0);
}

}  // namespace
}  // namespace espalier::trial_test
