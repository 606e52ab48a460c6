// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/inlets.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>

#include "fabric_world.hpp"

namespace espalier {
namespace {

using fabric_world::World;

TEST(Inlets, are_found_by_numbers_of_their_own_while_they_are_open) {
  World world(2, 1);
  FabricPort port(world[0], world.group());
  StreamEnd::Messages messages;
  Unguessable numbers;
  Inlets inlets(numbers);
  std::deque<Inlet> all;
  std::set<std::uint64_t> seen;
  EXPECT_EQ(inlets.find(0), nullptr);
  for (int k = 0; k < 1000; ++k) {
    inlets.open(all.emplace_back(port, messages, world[0].peer(1), Channel{0}));
    EXPECT_TRUE(seen.insert(all.back().number).second);
  }
  for (Inlet& inlet : all) {
    EXPECT_EQ(inlets.find(inlet.number), &inlet);
    EXPECT_EQ(inlets.find(inlet.number ^ (Immediate::inlet_mask & ~(Immediate::inlet_mask >> 1))), nullptr);
  }
  for (const Inlet& inlet : all) inlets.close(inlet);
  for (const Inlet& inlet : all) EXPECT_EQ(inlets.find(inlet.number), nullptr);
}

}  // namespace
}  // namespace espalier
