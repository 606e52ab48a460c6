// SPDX-License-Identifier: Apache-2.0
#include "select/network_choice.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "algorithms/algorithm.hpp"
#include "select/estimate.hpp"
#include "topology/network.hpp"
#include "verify/sample_networks.hpp"

namespace espalier {
namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

const Shape& sample(std::string_view name) {
  for (const SampleNetwork& one : sample_networks()) {
    if (one.name == name) return one.shape;
  }
  throw std::out_of_range(std::string(name));
}

std::string chosen(const Problem& problem, const Shape& shape) {
  NetworkChooser chooser;
  const auto choice = chooser.choose(problem, shape);
  return !choice ? "" : choice->native() ? "native" : std::string(choice->algorithm->name);
}

Problem broadcast(std::size_t bytes) { return {.collective = Collective::bcast, .count = bytes}; }
Problem reduction(Arithmetic arithmetic) {
  return {.collective = Collective::allreduce, .count = MiB, .element_bytes = 8, .arithmetic = arithmetic};
}

TEST(NetworkChoice, sends_long_messages_along_all_links) {
  EXPECT_EQ(chosen(broadcast(MiB), sample("torus 3x3x3")), "trinaryx6");
  EXPECT_EQ(chosen(reduction(Arithmetic::commutative), sample("torus 3x3x3")), "trinaryx3_fused");
  EXPECT_EQ(chosen(broadcast(MiB), sample("mesh 4x4")), "packed");
  EXPECT_EQ(chosen(broadcast(MiB), sample("torus 3x3x3, 1 node missing")), "packed");
}

TEST(NetworkChoice, leaves_the_rest_to_others) {
  EXPECT_EQ(chosen(broadcast(1024), sample("torus 3x3x3")), "native");
  EXPECT_EQ(chosen(broadcast(MiB), Shape{27}), "");
  EXPECT_EQ(chosen(reduction(Arithmetic::rank_order), sample("torus 3x3x3")), "");
  EXPECT_EQ(chosen({.collective = Collective::barrier}, sample("torus 3x3x3")), "");
}

// Equation 4 of paper 1: where a rank adds slowly, algorithms that share the additions among all ranks are as good.
TEST(NetworkChoice, goes_by_arithmetic_too) {
  Machine machine;
  machine.lattice = Lattice{{{3, true}, {3, true}, {3, true}}};
  for (int node = 0; node < 27; ++node) {
    machine.nodes.push_back({"n" + std::to_string(node)});
    machine.node_at.push_back(node);
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1e9);
  const Problem sum{
      .collective = Collective::allreduce, .count = 8192, .element_bytes = 8, .arithmetic = Arithmetic::commutative};
  machine.arithmetic_bytes_per_second = 1e10;
  EXPECT_EQ(chosen(sum, {27, std::make_unique<Network>(machine, machine.node_at).get()}), "trinaryx3_fused");
  machine.arithmetic_bytes_per_second = 1e8;
  EXPECT_EQ(chosen(sum, {27, std::make_unique<Network>(machine, machine.node_at).get()}), "native");
}

// What was decided for the whole must not be taken for a part, which lacks its trees.
TEST(NetworkChoice, tells_a_part_from_the_whole) {
  Machine machine;
  machine.lattice = Lattice{{{3, true}, {3, true}}};
  for (int node = 0; node < 9; ++node) {
    machine.nodes.push_back({"n" + std::to_string(node)});
    machine.node_at.push_back(node);
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1e6);
  const Network whole(machine, machine.node_at);
  const Network part(machine, std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8});
  NetworkChooser chooser;
  EXPECT_EQ(chooser.choose(broadcast(MiB), Shape{9, &whole})->algorithm->name, "trinaryx6");
  EXPECT_EQ(chooser.choose(broadcast(MiB), Shape{8, &part})->algorithm->name, "packed");
}

struct Grid {
  std::vector<int> sites;  // nodes of each
  double delay;
  int nics;
  double rate;
};

Machine machine_of(const Grid& grid) {
  Machine machine;
  for (std::size_t site = 0; site < grid.sites.size(); ++site) {
    for (int node = 0; node < grid.sites[site]; ++node) {
      machine.nodes.push_back({"n" + std::to_string(machine.nodes.size()), grid.nics, static_cast<int>(site)});
    }
  }
  machine.nic_bytes_per_second = grid.rate;
  machine.wan_seconds = grid.delay;
  return machine;
}

double broadcast_seconds(std::string_view name, std::size_t bytes, const Shape& shape) {
  const Algorithm* algorithm = find_algorithm(Collective::bcast, name);
  const Parameters parameters = NetworkChooser::parameters_for(*algorithm, broadcast(bytes), shape);
  return estimated_seconds({.algorithm = algorithm, .parameters = parameters}, broadcast(bytes), shape);
}

// Paper 2, section 7: with fewer hops, and as much of each NIC. The rest is what an estimate may be off.
TEST(NetworkChoice, has_two_lanes_never_behind_a_chain_over_a_WAN) {
  std::vector<Grid> grids;
  for (const std::vector<int>& sites : std::vector<std::vector<int>>{{1, 3}, {3, 2}, {4, 4}, {8, 8}, {5, 4, 3, 2}}) {
    for (const double delay : {1e-3, 1e-2, 1e-1}) {
      for (const int nics : {1, 2, 4}) {
        for (const double rate : {1.25e8, 1.25e9}) grids.push_back({sites, delay, nics, rate});
      }
    }
  }
  for (const Grid& grid : grids) {
    const Machine machine = machine_of(grid);
    std::vector<int> places(machine.nodes.size());
    std::iota(places.begin(), places.end(), 0);
    const Network network(machine, places, NicUse::all);
    const Shape shape{static_cast<Rank>(network.nodes()), &network};
    for (std::size_t bytes = 64 << 10; bytes <= 1024 * MiB; bytes *= 16) {
      EXPECT_LE(broadcast_seconds("multilane", bytes, shape), 1.02 * broadcast_seconds("sites_chain", bytes, shape))
          << grid.sites.size() << " sites, " << grid.sites[0] << " nodes in the first, " << grid.delay << " s, "
          << grid.nics << " NICs of " << grid.rate << ", " << bytes << " bytes";
    }
  }
}

TEST(NetworkChoice, takes_two_lanes_over_a_WAN_however_long_the_message_is) {
  const Machine machine = machine_of({{3, 2}, 0.01, 2, 1.25e8});
  const Network network(machine, std::vector{0, 1, 2, 3, 4}, NicUse::all);
  for (const std::size_t size : {MiB, 4 * MiB, 16 * MiB, 64 * MiB, 128 * MiB}) {
    EXPECT_EQ(chosen(broadcast(size), {5, &network}), "multilane") << size;
  }
}

TEST(NetworkChoice, cuts_longer_messages_into_larger_segments) {
  const TreePipeline pipeline{.trees = 3, .height = 84, .hop_seconds = 2e-6, .link_bytes_per_second = 5e9};
  std::size_t last = 0;
  for (std::size_t bytes = 64 << 10; bytes <= 64 * MiB; bytes *= 4) {
    const std::size_t segment = best_segment(pipeline, Collective::bcast, bytes);
    EXPECT_GE(segment, last);
    last = segment;
  }
  const TreePipeline slow{.trees = 3, .height = 84, .hop_seconds = 1e-3, .link_bytes_per_second = 5e9};
  EXPECT_EQ(best_segment(slow, Collective::bcast, 1024 * MiB), MiB) << "never more than this";
}

TEST(NetworkChoice, cuts_messages_at_sizes_between_powers_of_two) {
  const TreePipeline pipeline{.trees = 3, .height = 84, .hop_seconds = 4e-6, .link_bytes_per_second = 5e9};
  EXPECT_EQ(best_segment(pipeline, Collective::bcast, 16 * MiB), 48u << 10);
}

// No message leaves while the processor adds, so that each costs more than in a broadcast.
TEST(NetworkChoice, cuts_reductions_into_other_segments_than_broadcasts) {
  const TreePipeline k_computer{.trees = 3,
                                .height = 84,
                                .hop_seconds = 1.27e-6,
                                .link_bytes_per_second = 11.6e9 / 3,
                                .reduction_bytes_per_second = 6.58e9};
  EXPECT_GT(best_segment(k_computer, Collective::reduce, 1024 * MiB),
            best_segment(k_computer, Collective::bcast, 1024 * MiB));
}

}  // namespace
}  // namespace espalier
