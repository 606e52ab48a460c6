// SPDX-License-Identifier: Apache-2.0
// Trees over networks: that they share no link, and how high they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "../support/built.hpp"
#include "../support/link_loads.hpp"
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/torus_trees.hpp"
#include "topology/network.hpp"
#include "verify/sample_networks.hpp"

namespace espalier {
namespace {

std::vector<Schedule> build_all(const Algorithm& algorithm, const Shape& shape, Rank root) {
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(
        built(algorithm, shape, rank, {.root = root, .in_place = algorithm.collective == Collective::bcast}));
  }
  return ranks;
}

LinkLoad load_of(Collective collective, const char* name, const Shape& shape, Rank root) {
  const std::vector<Schedule> ranks = build_all(*find_algorithm(collective, name), shape, root);
  return count_links(ranks, arc_routing(*shape.network), 7200);
}

std::unique_ptr<const Network> torus(const std::vector<int>& extents) {
  Machine machine;
  machine.lattice.emplace();
  for (const int extent : extents) machine.lattice->axes.push_back({extent, true});
  for (int node = 0; node < machine.lattice->points(); ++node) {
    machine.node_at.push_back(node);
    machine.nodes.push_back({"n" + std::to_string(node)});
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 5e9);
  return std::make_unique<const Network>(machine, machine.node_at);
}

// How many links join these two.
std::size_t parallel_arcs(const Network& network, DirectedLink link) {
  const Arc& arc = network.arcs()[link];
  return static_cast<std::size_t>(std::ranges::count(network.arcs(), arc));
}

// No more streams from a node to its neighbour than there are links, or than `times` as many.
void expect_no_sharing(const LinkLoad& load, const SampleNetwork& sample, std::size_t times = 1) {
  for (const LinkLoad::Use& use : load.links) {
    EXPECT_LE(use.streams, times * parallel_arcs(*sample.shape.network, use.link)) << sample.name;
  }
}

TEST(TorusTrees, share_no_link_on_any_torus_from_any_root) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.shape.network->torus() == nullptr) continue;
    for (Rank root = 0; root < sample.shape.size; ++root) {
      expect_no_sharing(load_of(Collective::bcast, "trinaryx3", sample.shape, root), sample);
      expect_no_sharing(load_of(Collective::bcast, "trinaryx6", sample.shape, root), sample);
      expect_no_sharing(load_of(Collective::reduce, "trinaryx6", sample.shape, root), sample);
    }
    expect_no_sharing(load_of(Collective::allreduce, "trinaryx3_fused", sample.shape, 0), sample);
  }
}

TEST(TorusTrees, carry_a_third_of_a_long_message_and_in_both_directions_a_sixth) {
  const auto network = torus({3, 3, 3});
  const Shape shape{27, network.get()};
  EXPECT_EQ(load_of(Collective::bcast, "trinaryx3", shape, 5).max_elements(), 2400u);
  EXPECT_EQ(load_of(Collective::bcast, "trinaryx6", shape, 5).max_elements(), 1200u);
  EXPECT_EQ(load_of(Collective::allreduce, "trinaryx3_fused", shape, 0).max_elements(), 2400u);
}

// The height that a node is said to have is that of the tree below it.
int check_heights(const Network& network, int node, int root, int tree) {
  int height = 0;
  for (const NodeTree::Child& child : torus_tree(*network.torus(), node, root, tree).children) {
    const int below = check_heights(network, child.node, root, tree);
    EXPECT_EQ(child.height, below);
    height = std::max(height, below + 1);
  }
  return height;
}

TEST(TorusTrees, know_their_heights) {
  for (const std::vector<int>& extents : {std::vector<int>{4}, {3, 3}, {5, 3}, {3, 4, 5}, {3, 3, 4, 3}}) {
    const auto network = torus(extents);
    for (int tree = 0; tree < 2 * static_cast<int>(extents.size()); ++tree) {
      EXPECT_EQ(check_heights(*network, 1, 1, tree), torus_tree_height(network->torus()->lattice));
    }
  }
}

// Paper 1, section 6.2: X + Y + Z - 2 = 84.
TEST(TorusTrees, are_84_high_on_the_torus_of_the_paper) {
  EXPECT_EQ(torus_tree_height(Lattice{{{48, true}, {6, true}, {32, true}}}), 84);
}

TEST(TorusTrees, use_each_link_of_the_torus_of_the_paper_at_most_once_in_each_direction) {
  const auto network = torus({48, 6, 32});
  const LinkLoad load = load_of(Collective::allreduce, "trinaryx3_fused", {9216, network.get()}, 0);
  EXPECT_EQ(load.contention(), 1u);
  EXPECT_EQ(load.links.size(), 2u * 3 * 9215) << "every edge of three trees, in both directions";
}

TEST(PackedTrees, share_no_link_on_any_graph_with_equal_links) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.name.find("double side") != std::string::npos || sample.shape.network->nodes() == 1) continue;
    for (Rank root = 0; root < sample.shape.size; ++root) {
      expect_no_sharing(load_of(Collective::bcast, "packed", sample.shape, root), sample);
    }
    // Up and down: every node sends and receives all of the message over its links, as it must.
    expect_no_sharing(load_of(Collective::allreduce, "packed", sample.shape, 0), sample, 2);
  }
}

}  // namespace
}  // namespace espalier
