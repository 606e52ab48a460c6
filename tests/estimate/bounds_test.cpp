// SPDX-License-Identifier: Apache-2.0
#include "estimate/bounds.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "algorithms/algorithm.hpp"
#include "algorithms/unfit.hpp"
#include "estimate/estimate.hpp"
#include "topology/network.hpp"
#include "verify/sample_networks.hpp"

namespace espalier::bounds_test {
namespace {

Problem problem_of(Collective collective, std::size_t bytes, Rank root) {
  return {.collective = collective, .root = root, .count = bytes / 8, .element_bytes = 8};
}

// No slack but for blocks that differ by an element or two.
constexpr double rounding = 1.001;

void expect_no_more_than_simulated(const Algorithm& algorithm, const Problem& problem, const Shape& shape) {
  if (algorithm.collective != problem.collective || unfit_for(algorithm, problem, shape) != nullptr) return;
  const Choice choice{.algorithm = &algorithm, .cut = default_cut};
  const double simulated = estimated_seconds(choice, problem, shape);
  for (Rank rank = 0; rank < shape.size; ++rank) {
    EXPECT_LE(min_seconds(choice, problem, shape, rank), rounding * simulated)
        << name_of(problem.collective) << ":" << algorithm.name << ", rank " << rank;
  }
}

TEST(Bounds, are_never_above_the_simulated_time) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (!can_be_estimated(sample.shape) || sample.shape.size < 3 || sample.shape.size > 30) continue;
    SCOPED_TRACE(sample.name);
    for (const Algorithm& algorithm : registry()) {
      expect_no_more_than_simulated(algorithm, problem_of(algorithm.collective, 256 << 10, 2), sample.shape);
    }
  }
}

// Nodes with two NICs, in one site or in two that are 10 ms apart, and links that let something pass after a rest.
Machine switched_machine(std::span<const int> sites) {
  Machine machine;
  for (const int site : sites) machine.nodes.push_back({"n" + std::to_string(machine.nodes.size()), 2, site});
  machine.nic_bytes_per_second = 2.5e6;
  machine.hop_seconds = 1e-3;
  machine.wan_seconds = 1e-2;
  machine.burst_bytes = 10000;
  return machine;
}

void expect_no_more_than_simulated_on(const Network& network) {
  for (const Algorithm& algorithm : registry()) {
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{8000}, std::size_t{64} << 10, std::size_t{800'000}}) {
      expect_no_more_than_simulated(algorithm, problem_of(algorithm.collective, bytes, 0), {network.nodes(), &network});
    }
  }
}

TEST(Bounds, know_of_several_nics_and_of_bursts) {
  for (const std::vector<int>& sites : {std::vector<int>(8, 0), {0, 0, 0, 1, 1}}) {
    const Machine machine = switched_machine(sites);
    std::vector<int> node_of(sites.size());
    std::iota(node_of.begin(), node_of.end(), 0);
    for (const NicUse use : {NicUse::one, NicUse::all}) {
      expect_no_more_than_simulated_on(Network(machine, node_of, use));
    }
  }
}

TEST(Bounds, are_those_of_the_busiest_link_or_of_the_processor) {
  Machine machine;
  machine.nodes = {{"a"}, {"b"}, {"c"}};
  machine.arcs = {{0, 1, 1e6}, {1, 0, 1e6}, {1, 2, 1e6}, {2, 1, 1e6}};
  machine.hop_seconds = 1e-3;
  const Network network(machine, std::vector{0, 1, 2});
  const Choice linear{.algorithm = find_algorithm(Collective::bcast, "linear"), .cut = default_cut};
  const auto bound = [&](std::size_t bytes, Rank rank) {
    return min_seconds(linear, {.collective = Collective::bcast, .count = bytes}, {3, &network}, rank);
  };
  EXPECT_DOUBLE_EQ(bound(10'000, 0), 0.02) << "both messages over the first link";
  EXPECT_DOUBLE_EQ(bound(10'000, 2), 0.01) << "what it receives";
  EXPECT_DOUBLE_EQ(bound(100, 0), 2e-3) << "two messages";
}

TEST(Bounds, know_of_arithmetic) {
  Machine machine;
  machine.nodes = {{"a"}, {"b"}, {"c"}};
  machine.arcs = {{0, 1, 1e6}, {1, 0, 1e6}, {1, 2, 1e6}, {2, 1, 1e6}};
  machine.hop_seconds = 1e-3;
  machine.arithmetic_bytes_per_second = 1e5;
  const Network network(machine, std::vector{0, 1, 2});
  const Choice binomial{.algorithm = find_algorithm(Collective::reduce, "binomial"), .cut = default_cut};
  const Problem sum{.collective = Collective::reduce, .count = 10'000};
  EXPECT_DOUBLE_EQ(min_seconds(binomial, sum, {3, &network}, 0), 0.2) << "two additions";
}

}  // namespace
}  // namespace espalier::bounds_test
