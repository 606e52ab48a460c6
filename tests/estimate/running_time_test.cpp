// SPDX-License-Identifier: Apache-2.0
// Times that can be worked out by hand, and the paper's formula.
#include "estimate/running_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "algorithms/algorithm.hpp"
#include "select/cost_model.hpp"
#include "select/estimate.hpp"
#include "verify/sample_networks.hpp"

namespace espalier {
namespace {

constexpr double hop = 1e-3, rate = 1e6;
constexpr double bytes = 10'000, transfer = bytes / rate;

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

double broadcast(std::string_view algorithm, const Network& network, int segments = 1, std::size_t elements = 10'000) {
  const Shape shape{static_cast<Rank>(network.nodes()), &network};
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(build_schedule(*find_algorithm(Collective::bcast, algorithm), shape, rank, 0, true, {}));
  }
  return running_time(ranks, {.elements = elements, .element_bytes = 1, .segments = segments, .window = 4}, network);
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

TEST(RunningTime, of_sites_has_the_delay_of_the_WAN) {
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

TEST(RunningTime, over_several_NICs_has_a_lane_for_each_message) {
  Machine machine;
  machine.nodes = {{"a", 2, 0}, {"b", 2, 0}, {"c", 2, 0}};
  machine.nic_bytes_per_second = rate;
  machine.hop_seconds = hop;
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
    ranks.push_back(build_schedule(*find_algorithm(Collective::bcast, "linear"), {2, &network}, rank, 0, true, {}));
  }
  EXPECT_LT(running_time(ranks, {.elements = 10'000}, network), hop / 100);
}

// Equation 3 of paper 1 where nothing but its own links limits a tree.
TEST(RunningTime, of_trees_that_share_no_link_is_what_the_paper_says) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.name != "torus 3x3x3") continue;
    for (const std::size_t size : {std::size_t{64} << 10, std::size_t{1} << 20, std::size_t{8} << 20}) {
      const std::size_t segment = 4096;
      const Choice choice{.algorithm = find_algorithm(Collective::bcast, "trinaryx3"),
                          .parameters = {.segment_bytes = segment}};
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

TEST(Estimate, of_a_long_pipeline_is_close_to_that_of_playing_it_all) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.name != "mesh 4x4") continue;
    const Algorithm& algorithm = *find_algorithm(Collective::bcast, "packed");
    const Choice choice{.algorithm = &algorithm, .parameters = {.segment_bytes = 1000}};
    const Problem problem{.collective = Collective::bcast, .count = 200'000};
    std::vector<Schedule> ranks;
    for (Rank rank = 0; rank < sample.shape.size; ++rank) {
      ranks.push_back(build_schedule(algorithm, sample.shape, rank, 0, true, {}));
    }
    const int segments = 200 / ranks.front().blocks;
    const double played =
        running_time(ranks, {.elements = 200'000, .segments = segments, .window = 4}, *sample.shape.network);
    EXPECT_NEAR(estimated_seconds(choice, problem, sample.shape) / played, 1, 0.05);
  }
}

}  // namespace
}  // namespace espalier
