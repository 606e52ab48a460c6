// SPDX-License-Identifier: Apache-2.0
#include "estimate/network_bound.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "algorithms/algorithm.hpp"
#include "algorithms/unfit.hpp"
#include "estimate/estimate.hpp"
#include "topology/network.hpp"
#include "verify/sample_networks.hpp"

namespace espalier::network_bound_test {
namespace {

constexpr double rounding = 1.001;  // of blocks that differ by an element or two

Problem problem_of(Collective collective) {
  return {.collective = collective, .root = 1, .count = std::size_t{256} << 10, .element_bytes = 8};
}

// Two nodes with two ranks each, and one with one; two NICs of a megabyte a second.
class OnSwitches {
 public:
  OnSwitches() : network_(machine(), std::vector<int>{0, 1, 0, 1, 2}) {}
  [[nodiscard]] double megabytes(Collective collective) const {
    return network_bound_seconds(problem_of(collective), {5, &network_}) * 2e6 / (8 * (256 << 10));
  }

 private:
  static Machine machine() {
    Machine machine;
    for (const char* name : {"a", "b", "c"}) machine.nodes.push_back({name, 2, 0});
    machine.nic_bytes_per_second = 1e6;
    return machine;
  }
  Network network_;
};

TEST(NetworkBound, counts_what_must_cross_the_links_of_the_busiest_node) {
  const OnSwitches network;
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::barrier), 0);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::bcast), 1);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::reduce), 1);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::allreduce), 2. * 2 / 3);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::gather), 3);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::scatter), 3);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::allgather), 4);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::reduce_scatter), 4);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::alltoall), 2 * 3);
  EXPECT_DOUBLE_EQ(network.megabytes(Collective::scan), 1);
}

// Paper 1, section 5: on the K computer N/(4B) for a broadcast and, but for what a node need not receive, N/(2B) for an
// all-reduction.
TEST(NetworkBound, counts_engines_where_they_are_fewer_than_links) {
  constexpr double rate = 1e6;
  Machine machine{.engines = 4};
  machine.lattice = Lattice{{{4, true}, {4, true}, {4, true}}};
  machine.nodes.resize(64);
  machine.node_at.resize(64);
  std::iota(machine.node_at.begin(), machine.node_at.end(), 0);
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, rate);
  const Network network(machine, machine.node_at);
  const double alone = 8 * (256 << 10) / rate;
  EXPECT_DOUBLE_EQ(network_bound_seconds(problem_of(Collective::bcast), {64, &network}), alone / 4);
  EXPECT_DOUBLE_EQ(network_bound_seconds(problem_of(Collective::allreduce), {64, &network}), alone / 2 * 63 / 64);
  for (const char* const name : {"trinaryx3", "trinaryx6"}) {
    const Choice choice{.algorithm = find_algorithm(Collective::bcast, name), .cut = {16 << 10, 4}};
    const double seconds = estimated_seconds(choice, problem_of(Collective::bcast), {64, &network});
    EXPECT_GT(seconds, alone / (name == std::string("trinaryx3") ? 3 : 4)) << name;
  }
}

TEST(NetworkBound, is_never_above_the_simulated_time) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (!can_be_estimated(sample.shape) || sample.shape.size < 3 || sample.shape.size > 30) continue;
    for (const Algorithm& algorithm : registry()) {
      const Problem problem = problem_of(algorithm.collective);
      if (unfit_for(algorithm, problem, sample.shape) != nullptr) continue;
      const double simulated = estimated_seconds({.algorithm = &algorithm, .cut = default_cut}, problem, sample.shape);
      EXPECT_LE(network_bound_seconds(problem, sample.shape), rounding * simulated)
          << sample.name << ", " << name_of(algorithm.collective) << ":" << algorithm.name;
    }
  }
}

TEST(NetworkBound, is_not_known_where_the_network_is_not) {
  EXPECT_EQ(network_bound_seconds(problem_of(Collective::bcast), {5}), 0);
}

}  // namespace
}  // namespace espalier::network_bound_test
