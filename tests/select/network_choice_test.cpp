// SPDX-License-Identifier: Apache-2.0
#include "select/network_choice.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <numeric>

#include "algorithms/algorithm.hpp"
#include "estimate/estimate.hpp"
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

// Native counts for what the best of its default algorithms takes over one NIC, less the gain that ours must show.
double seconds_of(std::string_view name, std::span<const std::string_view> baseline, const Problem& problem,
                  const Shape& shape) {
  if (name != "native") {
    const Algorithm& algorithm = *find_algorithm(problem.collective, name);
    const Choice choice{&algorithm, cut_for(algorithm, problem, shape)};
    return estimated_seconds(choice, problem, shape);
  }
  const Network over_one = shape.network->with(NicUse::one);
  double least = std::numeric_limits<double>::infinity();
  for (const std::string_view one : baseline) {
    const Choice choice{find_algorithm(problem.collective, one), default_cut};
    least = std::min(least, 0.8 * estimated_seconds(choice, problem, {shape.size, &over_one}));
  }
  return least;
}

void expect_fastest(std::span<const std::string_view> baseline, std::span<const std::string_view> ours,
                    const Problem& problem, const Shape& shape) {
  const std::string found = chosen(problem, shape);
  const double seconds = seconds_of(found, baseline, problem, shape);
  EXPECT_LE(0.95 * seconds, seconds_of("native", baseline, problem, shape)) << found;
  for (const std::string_view name : ours) {
    EXPECT_LE(0.95 * seconds, seconds_of(name, baseline, problem, shape)) << found << ", " << name;
  }
}

// Messages of a few KiB cost as much as their bytes.
Machine slow_machine(int nodes) {
  Machine machine;
  for (int node = 0; node < nodes; ++node) machine.nodes.push_back({"n" + std::to_string(node), 2, 0});
  machine.hop_seconds = 2e-4;
  return machine;
}

std::vector<int> one_rank_a_node(const Machine& machine) {
  std::vector<int> node_of(machine.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  return node_of;
}

Network torus_of_27() {
  Machine machine = slow_machine(27);
  machine.lattice = Lattice{{{3, true}, {3, true}, {3, true}}};
  machine.node_at = one_rank_a_node(machine);
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 2.5e6);
  return Network(machine, machine.node_at);
}

// Eight nodes with two NICs each.
Network on_switches(NicUse use) {
  Machine machine = slow_machine(8);
  machine.nic_bytes_per_second = 2.5e6;
  return Network(machine, one_rank_a_node(machine), use);
}

struct Contest {
  Collective collective;
  std::vector<std::string_view> baseline, on_torus, on_switches;
};

// Only those are played that may be the fastest: that must not show.
TEST(NetworkChoice, is_what_playing_every_choice_finds_fastest) {
  const std::vector<Contest> contests = {
      {Collective::bcast,
       {"knomial", "scatter_allgather"},
       {"trinaryx6"},
       {"multilane", "sites_chain", "scatter_allgather"}},
      {Collective::reduce, {"binomial", "rabenseifner"}, {"trinaryx6"}, {"chain", "rabenseifner"}},
      {Collective::allreduce,
       {"recursive_doubling", "rabenseifner"},
       {"trinaryx3_fused"},
       {"multilane", "ring", "rabenseifner"}}};
  const Network torus = torus_of_27(), one = on_switches(NicUse::one), all = on_switches(NicUse::all);
  for (const Contest& contest : contests) {
    for (std::size_t bytes = 3 << 11; bytes <= 3 * MiB; bytes *= 2) {
      const Problem problem{.collective = contest.collective, .count = bytes / 8, .element_bytes = 8};
      SCOPED_TRACE(std::string(name_of(contest.collective)) + " of " + std::to_string(bytes));
      expect_fastest(contest.baseline, contest.on_torus, problem, {27, &torus});
      for (const Network* network : {&one, &all}) {
        expect_fastest(contest.baseline, contest.on_switches, problem, {8, network});
      }
    }
  }
}

// There equation 4 is the furthest from what is simulated.
TEST(NetworkChoice, is_the_fastest_where_additions_take_longest) {
  Machine machine = slow_machine(64);
  machine.hop_seconds = 1e-6;
  machine.arithmetic_bytes_per_second = 1e8;
  machine.lattice = Lattice{{{4, true}, {4, true}, {4, true}}};
  machine.node_at = one_rank_a_node(machine);
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1e9);
  const Network torus(machine, machine.node_at);
  const Contest reduce{Collective::reduce, {"binomial", "rabenseifner"}, {"trinaryx6"}, {}};
  const Contest allreduce{Collective::allreduce, {"recursive_doubling", "rabenseifner"}, {"trinaryx3_fused"}, {}};
  for (const Contest& contest : {reduce, allreduce}) {
    for (std::size_t bytes = 3 << 11; bytes <= 3 * MiB; bytes *= 2) {
      const Problem problem{.collective = contest.collective, .count = bytes / 8, .element_bytes = 8};
      SCOPED_TRACE(std::string(name_of(contest.collective)) + " of " + std::to_string(bytes));
      expect_fastest(contest.baseline, contest.on_torus, problem, {64, &torus});
    }
  }
}

// As measured: Open MPI's own algorithms take the time of one NIC, a ring over both of them half of it.
TEST(NetworkChoice, takes_the_ring_for_a_long_all_reduction_where_only_ours_use_all_nics) {
  const Problem problem{.collective = Collective::allreduce, .count = MiB / 8, .element_bytes = 8};
  const Network one = on_switches(NicUse::one), all = on_switches(NicUse::all);
  EXPECT_EQ(chosen(problem, {8, &all}), "ring");
  EXPECT_EQ(chosen(problem, {8, &one}), "native");
}

// What comes to a rank last has been through all others: only segments let them all work at once.
TEST(NetworkChoice, takes_the_chain_for_a_long_prefix_sum) {
  const Network network = on_switches(NicUse::one);
  for (const Collective collective : {Collective::scan, Collective::exscan}) {
    const Problem problem{.collective = collective, .count = MiB / 8, .element_bytes = 8};
    EXPECT_EQ(chosen(problem, {8, &network}), "chain") << name_of(collective);
  }
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
  const Cut cut = cut_for(*algorithm, broadcast(bytes), shape);
  return estimated_seconds({.algorithm = algorithm, .cut = cut}, broadcast(bytes), shape);
}

// Paper 2, section 7: with fewer hops, and as much of each NIC. The rest is what an estimate may be off.
TEST(NetworkChoice, has_two_lanes_never_behind_a_chain_over_a_wan) {
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

// Where each stream takes all NICs by itself a chain is as fast, and nothing in it is to be distributed.
TEST(NetworkChoice, takes_a_chain_of_long_messages_where_streams_are_striped) {
  const Network all = on_switches(NicUse::all), striped = on_switches(NicUse::striped);
  EXPECT_EQ(chosen(broadcast(8 * MiB), {8, &all}), "multilane");
  EXPECT_EQ(chosen(broadcast(8 * MiB), {8, &striped}), "sites_chain");
}

TEST(NetworkChoice, takes_two_lanes_over_a_wan_however_long_the_message_is) {
  const Machine machine = machine_of({{3, 2}, 0.01, 2, 1.25e8});
  const Network network(machine, std::vector{0, 1, 2, 3, 4}, NicUse::all);
  for (const std::size_t size : {MiB, 4 * MiB, 16 * MiB, 64 * MiB, 128 * MiB}) {
    EXPECT_EQ(chosen(broadcast(size), {5, &network}), "multilane") << size;
  }
}

}  // namespace
}  // namespace espalier
