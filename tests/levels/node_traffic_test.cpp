// SPDX-License-Identifier: Apache-2.0
#include "levels/node_traffic.hpp"

#include <gtest/gtest.h>

#include "levels/small_node.hpp"

namespace espalier::node_traffic_test {
namespace {

TEST(NodeTraffic, takes_the_time_of_the_core_where_nothing_is_shared) {
  const NodeLevels node = small_node();
  NodeTraffic traffic(node, 0);
  EXPECT_DOUBLE_EQ(traffic.copy(1, 100, 0), 2);
  EXPECT_DOUBLE_EQ(traffic.reduce(1, 16, 0), 3);
  EXPECT_DOUBLE_EQ(traffic.fetch(1, 100, 0, 1, 1000), 8) << "5 s for the first line, then 50 bytes a second";
  EXPECT_DOUBLE_EQ(traffic.fetch(1, 100, 0, 1, 10), 16) << "it reads no faster than 10 bytes a second";
  EXPECT_DOUBLE_EQ(traffic.write_stream(1, 32, 0, 1), 1) << "that lies in the frame's own line";
  EXPECT_DOUBLE_EQ(traffic.write_stream(1, 100, 0, 1), 11);
  EXPECT_DOUBLE_EQ(traffic.read_stream(1, 100, 0, 1), 11);
}

TEST(NodeTraffic, makes_copies_wait_for_what_they_share) {
  NodeLevel pair = small_level("pair", 2, 5), whole = small_level("node", 2, 7);
  pair.in_bytes_per_second = 10;
  pair.out_bytes_per_second = 20;
  whole.shared_bytes_per_second = 5;
  const NodeLevels node("pairs", small_core, {pair, whole});
  NodeTraffic traffic(node, 0);
  EXPECT_DOUBLE_EQ(traffic.fetch(0, 100, 2, 0, 1000), 20) << "across the node: 5 bytes a second";
  EXPECT_DOUBLE_EQ(traffic.fetch(0, 100, 3, 1, 1000), 40) << "after the other one";
  EXPECT_DOUBLE_EQ(traffic.fetch(0, 100, 0, 1, 1000), 7) << "within a pair nobody else is in the way";
}

TEST(NodeTraffic, makes_ways_in_and_out_serve_one_after_the_other) {
  NodeLevel pair = small_level("pair", 2, 5);
  pair.in_bytes_per_second = 10;
  const NodeLevels node("pairs", small_core, {pair, small_level("node", 2, 7)});
  NodeTraffic traffic(node, 0);
  EXPECT_DOUBLE_EQ(traffic.fetch(0, 100, 2, 0, 1000), 10);
  EXPECT_DOUBLE_EQ(traffic.fetch(0, 100, 3, 1, 1000), 20);
  EXPECT_DOUBLE_EQ(traffic.fetch(0, 100, 1, 3, 1000), 10) << "the other way";
}

TEST(NodeTraffic, takes_from_memory_what_caches_do_not_hold) {
  NodeLevel level = small_level("node", 2, 5);
  level.memory_bytes_per_second = 25;
  const NodeLevels node("small", small_core, {level});
  NodeTraffic half(node, .5);
  EXPECT_DOUBLE_EQ(half.copy(0, 100, 0), 4) << "half of 200 bytes that are read and written";
  const NodeLevels without = small_node();
  NodeTraffic alone(without, .5);
  EXPECT_DOUBLE_EQ(alone.reduce(0, 16, 0), 3) << "half at 8, half at 4 bytes a second";
}

TEST(NodeTraffic, counts_lines_where_cores_meet) {
  const NodeLevels node = node_of_pairs();
  NodeTraffic traffic(node, 0);
  traffic.count_frame(0, 1, 32);
  traffic.count_frame(0, 2, 65);
  traffic.count_lines(3, 1, 64);
  EXPECT_EQ(traffic.lines(), (std::vector<std::uint64_t>{1, 4}));
}

}  // namespace
}  // namespace espalier::node_traffic_test
