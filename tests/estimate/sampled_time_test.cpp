// SPDX-License-Identifier: Apache-2.0
#include "estimate/sampled_time.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "estimate/contest.hpp"
#include "estimate/estimate.hpp"
#include "estimate/native.hpp"
#include "estimate/network_cut.hpp"
#include "topology/network.hpp"

namespace espalier::sampled_time_test {
namespace {

Network lattice(const std::vector<int>& extents, bool wraps, int missing = no_node) {
  Machine machine{.hop_seconds = 1e-6};
  Lattice box;
  for (const int extent : extents) box.axes.push_back({extent, wraps});
  int nodes = 0;
  for (int place = 0; place < box.points(); ++place) machine.node_at.push_back(place == missing ? no_node : nodes++);
  machine.nodes.resize(nodes);
  machine.lattice = box;
  machine.arcs = arcs_of(box, machine.node_at, 5e9);
  std::vector<int> node_of(nodes);
  std::iota(node_of.begin(), node_of.end(), 0);
  return Network(machine, node_of);
}

Problem problem_of(Collective collective, std::size_t bytes) {
  return {.collective = collective, .count = bytes / 8, .element_bytes = 8};
}

TEST(SampledTime, of_native_algorithms_is_near_what_is_played_on_tori) {
  for (const auto& extents : std::vector<std::vector<int>>{{3, 3, 3}, {4, 4, 4}, {5, 5, 5}, {8, 8}, {10, 12}}) {
    const Network network = lattice(extents, true);
    const Shape shape{network.nodes(), &network};
    for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
      for (const std::size_t bytes : {std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{8} << 20}) {
        const Problem problem = problem_of(collective, bytes);
        for (const Choice& choice : native_choices(collective)) {
          const double ratio = sampled_seconds(choice, problem, shape) / estimated_seconds(choice, problem, shape);
          EXPECT_GT(ratio, 0.5) << choice.algorithm->name << " of " << bytes << " among " << shape.size;
          EXPECT_LT(ratio, 2) << choice.algorithm->name << " of " << bytes << " among " << shape.size;
        }
      }
    }
  }
}

TEST(SampledTime, of_trees_on_tori_is_near_what_is_played) {
  for (const auto& extents : std::vector<std::vector<int>>{{3, 3, 3}, {5, 5, 5}, {8, 8}}) {
    const Network network = lattice(extents, true);
    const Shape shape{network.nodes(), &network};
    for (const Algorithm& algorithm : registry()) {
      if (algorithm.needs != Needs::torus) continue;
      const auto pipeline = pipeline_of(algorithm, shape);
      ASSERT_TRUE(pipeline) << algorithm.name;
      const Problem problem = problem_of(algorithm.collective, std::size_t{8} << 20);
      const Choice choice{.algorithm = &algorithm, .cut = network_cut(pipeline, problem, network)};
      const double ratio = sampled_seconds(choice, problem, shape) / estimated_seconds(choice, problem, shape);
      EXPECT_GT(ratio, 0.6) << algorithm.name << " among " << shape.size;
      EXPECT_LT(ratio, 1.6) << algorithm.name << " among " << shape.size;
    }
  }
}

TEST(SampledTime, takes_no_jump_where_there_are_too_many_ranks_to_be_played) {
  const Network small = lattice({5, 5, 5}, true), large = lattice({5, 5, 6}, true);
  for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
    for (const std::size_t bytes : {std::size_t{256} << 10, std::size_t{4} << 20}) {
      const Problem problem = problem_of(collective, bytes);
      const double before = *estimated_native_seconds(problem, {small.nodes(), &small});
      const double after = *estimated_native_seconds(problem, {large.nodes(), &large});
      EXPECT_LT(std::max(before / after, after / before), 1.6) << bytes;
    }
  }
}

TEST(SampledTime, lets_trees_win_on_large_networks_whose_nodes_are_not_a_whole_torus) {
  for (const auto& network : {lattice({6, 6, 6}, true, 100), lattice({8, 8, 8}, false), lattice({32, 32}, false)}) {
    const Shape shape{network.nodes(), &network};
    for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::allreduce}) {
      const auto winner = winner_of_contest(problem_of(collective, std::size_t{8} << 20), shape);
      ASSERT_TRUE(winner) << shape.size;
      EXPECT_EQ(winner->algorithm->name, "packed") << shape.size;
    }
  }
}

}  // namespace
}  // namespace espalier::sampled_time_test
