// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/send_lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace espalier {
namespace {

constexpr std::size_t mebibyte = 1 << 20;

halo::Engines nics(int count, std::vector<double> rates = {}) { return {.count = count, .rates = std::move(rates)}; }

std::vector<std::size_t> bytes_by_nic(const std::vector<SendSize>& sends, const std::vector<SendLane>& lanes,
                                      int count) {
  std::vector<std::size_t> bytes(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < sends.size(); ++k) {
    if (names_one_nic(lanes[k].path)) bytes[static_cast<std::size_t>(nic_of(lanes[k].path))] += sends[k].bytes;
  }
  return bytes;
}

void expect_turns_of_all(const std::vector<SendLane>& lanes) {
  std::vector<int> turns, expected(lanes.size());
  for (const SendLane& lane : lanes) turns.push_back(lane.turn);
  std::ranges::sort(turns);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(turns, expected);
}

// With one diagonal message at a time there is no reason for a second NIC.
TEST(SendLanes, the_packer_limits_diagonal_messages_at_a_time) {
  std::vector<SendSize> sends;
  for (int to = 0; to < 4; ++to) sends.push_back({.to = to, .bytes = mebibyte, .is_diagonal = true});
  EXPECT_EQ(bytes_by_nic(sends, lanes_of_sends(sends, "bottomleft(4)", nics(4)), 4),
            std::vector<std::size_t>(4, mebibyte));
  EXPECT_EQ(bytes_by_nic(sends, lanes_of_sends(sends, "bottomleft(1)", nics(4)), 4),
            (std::vector<std::size_t>{4 * mebibyte, 0, 0, 0}));
}

TEST(SendLanes, no_sends_have_no_lanes) { EXPECT_TRUE(lanes_of_sends({}, "auto", nics(2)).empty()); }

TEST(SendLanes, each_send_has_a_turn_of_its_own_and_goes_over_nics) {
  for (const int count : {1, 2, 3, 4, 8}) {
    for (const int sends : {1, 2, 3, 5, 7, 27}) {
      std::vector<SendSize> sizes;
      for (int k = 0; k < sends; ++k) sizes.push_back({k % 5, mebibyte + static_cast<std::size_t>(k)});
      const std::vector<SendLane> lanes = lanes_of_sends(sizes, "auto", nics(count));
      ASSERT_EQ(lanes.size(), sizes.size());
      expect_turns_of_all(lanes);
      for (const SendLane& lane : lanes) {
        EXPECT_TRUE(is_planned(lane.path));
        EXPECT_TRUE(!names_one_nic(lane.path) || nic_of(lane.path) < count);
      }
    }
  }
}

TEST(SendLanes, equal_sends_to_different_ranks_share_the_nics_evenly) {
  const std::vector<SendSize> sizes(4, {.to = 0, .bytes = mebibyte});
  std::vector<SendSize> sends = sizes;
  for (int k = 0; k < 4; ++k) sends[static_cast<std::size_t>(k)].to = 9 - k;
  EXPECT_EQ(bytes_by_nic(sends, lanes_of_sends(sends, "auto", nics(2)), 2),
            (std::vector<std::size_t>{2 * mebibyte, 2 * mebibyte}));
}

TEST(SendLanes, the_packer_by_itself_is_the_default_one) {
  const std::vector<SendSize> sends = {{1, mebibyte}, {2, 3 * mebibyte}, {1, mebibyte / 2}};
  const auto by_itself = lanes_of_sends(sends, "auto", nics(3)), baseline = lanes_of_sends(sends, "even", nics(3));
  for (std::size_t k = 0; k < sends.size(); ++k) {
    EXPECT_EQ(by_itself[k].path, baseline[k].path);
    EXPECT_EQ(by_itself[k].turn, baseline[k].turn);
  }
}

TEST(SendLanes, striped_sends_go_over_all_nics_each) {
  for (const SendLane& lane : lanes_of_sends(std::vector<SendSize>(3, {1, mebibyte}), "striped", nics(2))) {
    EXPECT_EQ(lane.path, by_all_in_turn);
  }
}

TEST(SendLanes, thousands_of_sends_are_distributed_by_a_packer_that_is_fast_enough) {
  const std::vector<SendSize> sends(5000, {.to = 1, .bytes = 8});
  expect_turns_of_all(lanes_of_sends(sends, "fastest", nics(2)));
}

}  // namespace
}  // namespace espalier
