// SPDX-License-Identifier: Apache-2.0
#include "estimate/contest.hpp"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "algorithms/algorithm.hpp"
#include "estimate/native.hpp"
#include "verify/sample_networks.hpp"

namespace espalier::contest_test {
namespace {

// Else the order of the registry would decide between two that take about as long.
TEST(Contest, knows_whom_to_prefer) {
  std::set<std::tuple<Collective, NetworkKind, int>> seen;
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.contender) continue;
    EXPECT_TRUE(seen.insert({algorithm.collective, algorithm.contender->on, algorithm.contender->preference}).second)
        << name_of(algorithm.collective) << ":" << algorithm.name;
  }
}

TEST(Contest, compares_every_contender_with_what_the_native_mpi_may_do) {
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.contender) continue;
    EXPECT_FALSE(native_choices(algorithm.collective).empty()) << algorithm.name;
  }
}

TEST(Contest, has_contenders_on_their_own_kind_of_network_only) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (!sample.shape.network->is_connected()) continue;
    for (const Algorithm& algorithm : registry()) {
      const auto one = contestant(algorithm, sample.shape);
      const bool is_own_kind = algorithm.contender && algorithm.contender->on == kind_of(sample.shape);
      EXPECT_EQ(one.has_value(), is_own_kind && exists_for(algorithm, sample.shape))
          << algorithm.name << " on " << sample.name;
    }
  }
}

TEST(Contest, of_a_collective_without_contenders_is_won_by_the_native_mpi) {
  for (const SampleNetwork& sample : sample_networks()) {
    const Problem problem{.collective = Collective::alltoall, .count = 1 << 20};
    EXPECT_FALSE(winner_of_contest(problem, sample.shape).has_value()) << sample.name;
  }
}

}  // namespace
}  // namespace espalier::contest_test
