// SPDX-License-Identifier: Apache-2.0
#include "estimate/routes.hpp"

#include <gtest/gtest.h>

#include "verify/sample_networks.hpp"

namespace espalier::routes_test {
namespace {

TEST(Routes, follow_one_another_and_are_as_short_as_can_be) {
  for (const SampleNetwork& sample : sample_networks()) {
    const Network& network = *sample.shape.network;
    if (!network.sites().empty() || !network.is_connected()) continue;
    Routes routes(network);
    for (int from = 0; from < network.nodes(); ++from) {
      for (int to = 0; to < network.nodes(); ++to) {
        if (from == to) continue;
        int at = from;
        for (const int link : routes.between(from, to).links) {
          ASSERT_EQ(network.arcs()[link].from, at) << sample.name;
          at = network.arcs()[link].to;
        }
        ASSERT_EQ(at, to) << sample.name;
      }
    }
  }
}

TEST(Routes, go_along_the_first_axis_first) {
  for (const SampleNetwork& sample : sample_networks()) {
    if (sample.name != "torus 3x4x5") continue;
    Routes routes(*sample.shape.network);
    // One step along the first axis, two along the second one, and back round the end of the third.
    const int to = 1 + 3 * (2 + 4 * 4);
    std::vector<int> nodes;
    for (const int link : routes.between(0, to).links) nodes.push_back(sample.shape.network->arcs()[link].to);
    EXPECT_EQ(nodes, (std::vector<int>{1, 4, 7, to}));
  }
}

TEST(Routes, pass_every_site_between) {
  Machine machine;
  machine.nodes = {{"a", 2, 0}, {"b", 2, 1}, {"c", 2, 2}};
  machine.nic_bytes_per_second = 1e9;
  machine.wan_seconds = 0.25;
  const std::vector<int> places = {0, 1, 2};
  const Network network(machine, places);
  Routes routes(network);
  EXPECT_EQ(routes.between(0, 2).links.size(), 4u);
  EXPECT_DOUBLE_EQ(routes.between(0, 2).delay, 0.5);
  EXPECT_NE(routes.between(0, 2).links[1], routes.between(2, 0).links[2]) << "a WAN has two directions";
}

}  // namespace
}  // namespace espalier::routes_test
