// SPDX-License-Identifier: Apache-2.0
// Times that can be worked out by hand, and the paper's formula.
#include "estimate/running_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../support/built.hpp"
#include "algorithms/algorithm.hpp"
#include "algorithms/plan.hpp"
#include "estimate/cost_model.hpp"
#include "estimate/estimate.hpp"
#include "verify/sample_networks.hpp"

namespace espalier::running_time_test {
namespace {

constexpr double hop = 1e-3, rate = 1e6;
constexpr double bytes = 10'000, transfer = bytes / rate;
constexpr std::size_t MiB = std::size_t{1} << 20;

// Nodes in a row, a rank on each.
struct Row {
  explicit Row(int nodes) {
    for (int node = 0; node < nodes; ++node) machine.nodes.push_back({"n" + std::to_string(node)});
    for (int node = 1; node < nodes; ++node) {
      machine.arcs.push_back({node - 1, node, rate});
      machine.arcs.push_back({node, node - 1, rate});
      places.push_back(node);
    }
    machine.hop_seconds = hop;
  }
  Machine machine;
  std::vector<int> places = {0};
};

Machine torus_of_27() {
  Machine machine;
  machine.lattice = Lattice{{{3, true}, {3, true}, {3, true}}};
  for (int node = 0; node < 27; ++node) {
    machine.nodes.push_back({"n" + std::to_string(node)});
    machine.node_at.push_back(node);
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1e9);
  return machine;
}

// Nodes with this many NICs each, all in one site.
Machine rails(int nodes, int nics) {
  Machine machine;
  for (int node = 0; node < nodes; ++node) machine.nodes.push_back({"n" + std::to_string(node), nics, 0});
  machine.nic_bytes_per_second = rate;
  machine.hop_seconds = hop;
  return machine;
}

double played_in_full(const Choice& choice, const Problem& problem, const Shape& shape) {
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(build_schedule(*choice.algorithm, request_for(choice, problem, shape, rank)));
  }
  return running_time(ranks,
                      {.partition = partition_for(choice, problem, ranks.front()),
                       .element_bytes = problem.element_bytes,
                       .window = choice.cut.window},
                      *shape.network);
}

double broadcast(std::string_view algorithm, const Network& network, int segments = 1, std::size_t elements = 10'000) {
  const Shape shape{static_cast<Rank>(network.nodes()), &network};
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(built(Collective::bcast, algorithm, shape, rank, {.in_place = true}));
  }
  const Partition partition({.blocks = ranks.front().blocks, .elements = elements, .segments = segments});
  return running_time(ranks, {.partition = partition, .window = 4}, network);
}

TEST(RunningTime, of_a_message_is_a_hop_and_its_bytes) {
  const Row row(2);
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(row.machine, row.places)), hop + transfer);
}

TEST(RunningTime, knows_that_two_messages_share_a_link) {
  const Row row(3);
  // To both others over the first link; the second message's head waits for it, and passes through the second link.
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(row.machine, row.places)), hop + 2 * transfer);
}

TEST(RunningTime, of_a_pipeline_is_filling_it_and_then_the_slowest_link) {
  const Row row(5);
  const int segments = 20;
  const double expected = 4 * (hop + transfer / segments) + (segments - 1) * hop;
  EXPECT_NEAR(broadcast("chain", Network(row.machine, row.places), segments), expected, 1e-9)
      << "here messages cost more than bytes";
  EXPECT_NEAR(broadcast("chain", Network(row.machine, row.places), 4), 4 * (hop + transfer / 4) + 3 * transfer / 4,
              1e-9)
      << "and here bytes more than messages";
}

// 0 sends to 2, then to 1, while 2 passes it on to 3; it was 1 that was ready first.
TEST(RunningTime, lets_messages_leave_in_the_order_in_which_they_were_posted) {
  const Machine machine = rails(4, 1);
  EXPECT_DOUBLE_EQ(broadcast("knomial", Network(machine, std::vector{0, 1, 2, 3})), 2 * hop + 2 * transfer);
}

TEST(RunningTime, of_a_reduction_has_its_arithmetic) {
  Row row(2);
  row.machine.arithmetic_bytes_per_second = rate / 3;
  const Network network(row.machine, row.places);
  EXPECT_DOUBLE_EQ(played_in_full({.algorithm = find_algorithm(Collective::reduce, "chain")},
                                  {.collective = Collective::reduce, .count = 10'000}, {2, &network}),
                   hop + transfer + 3 * transfer);
}

TEST(RunningTime, of_sites_has_the_delay_of_the_wan) {
  Machine machine;
  machine.nodes = {{"a", 1, 0}, {"b", 1, 1}};
  machine.nic_bytes_per_second = rate;
  machine.hop_seconds = hop;
  machine.wan_seconds = 0.5;
  const std::vector<int> places = {0, 1};
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(machine, places)), hop + transfer + 0.5);
}

// Links have not rested when all begin: here the second one rests while the first hop is made.
TEST(RunningTime, does_not_count_what_a_link_lets_pass_at_once_after_a_rest) {
  Row row(3);
  row.machine.burst_bytes = bytes / 2;
  const double rest = hop;
  // Both messages over the first link, which rested until the first one came.
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(row.machine, row.places)), hop + 2 * transfer - rest);
  row.machine.burst_bytes = 10 * bytes;
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(row.machine, row.places)), hop + 2 * transfer - rest)
      << "no more than would have passed meanwhile";
  row.machine.burst_bytes = rate * rest / 2;
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(row.machine, row.places)), hop + 2 * transfer - rest / 2)
      << "and no more than a burst";
}

TEST(RunningTime, over_several_nics_has_a_lane_for_each_message) {
  const Machine machine = rails(3, 2);
  const std::vector<int> places = {0, 1, 2};
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(machine, places)), hop + 2 * transfer);
  const Network spread(machine, places, NicUse::all);
  EXPECT_DOUBLE_EQ(broadcast("linear", spread), 2 * hop + transfer) << "to both at once, one hop later";
  const int bytes_above_one_lane = 100'000;
  EXPECT_DOUBLE_EQ(broadcast("linear", Network(machine, std::vector{0, 1}, NicUse::all), 1, bytes_above_one_lane),
                   hop + bytes_above_one_lane / rate / 2);
}

TEST(RunningTime, within_a_node_is_that_of_a_copy) {
  Row row(1);
  row.places = {0, 0};
  const Network network(row.machine, row.places);
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < 2; ++rank) {
    ranks.push_back(built(Collective::bcast, "linear", {2, &network}, rank, {.in_place = true}));
  }
  EXPECT_LT(running_time(ranks, {.partition = Partition({.elements = 10'000})}, network), hop / 100);
}

// Equation 3 of paper 1 where nothing but its own links limits a tree.
TEST(RunningTime, of_trees_that_share_no_link_is_what_the_paper_says) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.name != "torus 3x3x3") continue;
    for (const std::size_t size : {std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{8} << 20}) {
      const std::size_t segment = 4096;
      const Choice choice{.algorithm = find_algorithm(Collective::bcast, "trinaryx3"),
                          .cut = {.segment_bytes = segment}};
      const TreePipeline pipeline{.trees = 3,
                                  .height = 7,
                                  .hop_seconds = sample.shape.network->hop_seconds(),
                                  .link_bytes_per_second = sample.shape.network->bytes_per_second()};
      const double paper = bcast_seconds(pipeline, static_cast<double>(size), segment);
      EXPECT_NEAR(estimated_seconds(choice, {.collective = Collective::bcast, .count = size}, sample.shape) / paper, 1,
                  0.15)
          << size;
    }
  }
}

// Equation 4, whichever of its terms is the largest: arithmetic, the number of messages, or the links.
TEST(RunningTime, of_reductions_along_trees_that_share_no_link_is_what_the_paper_says) {
  Machine machine = torus_of_27();
  for (const auto& [arithmetic, hop_seconds] : {std::pair{2e8, 5e-6}, {1e12, 1e-4}, {1e12, 5e-6}}) {
    machine.arithmetic_bytes_per_second = arithmetic;
    machine.hop_seconds = hop_seconds;
    const Network network(machine, machine.node_at);
    const std::size_t segment = 16384, size = 4 * MiB;
    const TreePipeline pipeline{.trees = 3,
                                .height = 7,
                                .hop_seconds = hop_seconds,
                                .link_bytes_per_second = network.bytes_per_second(),
                                .reduction_bytes_per_second = arithmetic};
    const Choice choice{.algorithm = find_algorithm(Collective::reduce, "trinaryx3"),
                        .cut = {.segment_bytes = segment}};
    const double paper = reduce_seconds(pipeline, static_cast<double>(size), segment);
    const double seconds = played_in_full(
        choice, {.collective = Collective::reduce, .count = size / 8, .element_bytes = 8}, {27, &network});
    EXPECT_NEAR(seconds / paper, 1, 0.2) << arithmetic << " bytes per second, " << hop_seconds << " s per hop";
  }
}

// Sites of three nodes and two, 10 ms apart, each with two NICs of 1 Gbit/s.
Machine two_sites() {
  Machine machine;
  for (int node = 0; node < 5; ++node) machine.nodes.push_back({"n" + std::to_string(node), 2, node < 3 ? 0 : 1});
  machine.nic_bytes_per_second = 1.25e8;
  machine.wan_seconds = 0.01;
  return machine;
}

// Up to the window a stream runs ahead of others, or of a receiver's word, as it cannot later on.
TEST(Estimate, of_a_pipeline_over_a_wan_is_close_to_that_of_playing_it_all) {
  const Machine machine = two_sites();
  const Network network(machine, std::vector{0, 1, 2, 3, 4}, NicUse::all);
  const Shape shape{5, &network};
  for (const std::string_view name : {"multilane", "sites_chain", "sites_binary"}) {
    for (const std::size_t segment : {std::size_t{2048}, std::size_t{32768}}) {
      for (const std::size_t size : {MiB, 4 * MiB, 16 * MiB, 64 * MiB}) {
        const Choice choice{.algorithm = find_algorithm(Collective::bcast, name),
                            .cut = {.segment_bytes = segment, .window = 64}};
        const Problem problem{.collective = Collective::bcast, .count = size};
        EXPECT_NEAR(estimated_seconds(choice, problem, shape) / played_in_full(choice, problem, shape), 1, 0.05)
            << name << " of " << size << " bytes in segments of " << segment;
      }
    }
  }
}

TEST(Estimate, of_a_long_message_needs_no_link_where_all_ranks_are_on_one_node) {
  const Network network(Row(1).machine, std::vector<int>(4, 0));
  const Choice chain{.algorithm = find_algorithm(Collective::bcast, "chain"), .cut = default_cut};
  const Problem problem{.collective = Collective::bcast, .count = 64 * MiB};
  EXPECT_GT(estimated_seconds(chain, problem, {4, &network}), 0);
}

TEST(Estimate, of_a_long_message_over_two_lanes_is_what_the_nics_need) {
  const Machine machine = two_sites();
  const Network network(machine, std::vector{0, 1, 2, 3, 4}, NicUse::all);
  const Choice choice{.algorithm = find_algorithm(Collective::bcast, "multilane"),
                      .cut = {.segment_bytes = 32768, .window = 64}};
  const Problem problem{.collective = Collective::bcast, .count = 128 * MiB};
  const double bound = static_cast<double>(problem.count) / network.node_bytes_per_second();
  EXPECT_NEAR(estimated_seconds(choice, problem, {5, &network}) / (bound + machine.wan_seconds), 1, 0.01);
}

TEST(Estimate, of_a_long_pipeline_is_close_to_that_of_playing_it_all) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.name != "mesh 4x4") continue;
    const Choice choice{.algorithm = find_algorithm(Collective::bcast, "packed"), .cut = {.segment_bytes = 1000}};
    const Problem problem{.collective = Collective::bcast, .count = 200'000};
    EXPECT_NEAR(estimated_seconds(choice, problem, sample.shape) / played_in_full(choice, problem, sample.shape), 1,
                0.05);
  }
}

}  // namespace
}  // namespace espalier::running_time_test
