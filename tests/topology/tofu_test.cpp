// SPDX-License-Identifier: Apache-2.0
#include "topology/tofu.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace espalier::tofu_test {
namespace {

// One pair of coordinates at a time: the others do not matter. Where each place of the ring is on the machine.
std::map<int, std::pair<int, int>> ring_of(int axis, int extent) {
  std::array<int, 3> extents = {1, 1, 1};
  extents[static_cast<std::size_t>(axis)] = extent;
  std::map<int, std::pair<int, int>> at;
  for (int x = 0; x < extent; ++x) {
    for (int side = 0; side < tofu_group[static_cast<std::size_t>(axis)]; ++side) {
      TofuPlace place{};
      place[static_cast<std::size_t>(axis)] = x;
      place[static_cast<std::size_t>(axis) + 3] = side;
      const int v = folded_place(place, extents)[static_cast<std::size_t>(axis)];
      EXPECT_TRUE(at.insert({v, {x, side}}).second) << "two nodes at one place";
    }
  }
  return at;
}

// One step along the long axis (whose ends need not be joined), or one within the group, where all are neighbours.
bool are_neighbours(std::pair<int, int> one, std::pair<int, int> other) {
  return one.second == other.second ? std::abs(one.first - other.first) == 1 : one.first == other.first;
}

TEST(TofuFold, makes_rings_of_physical_neighbours_for_all_extents_up_to_12) {
  for (int axis = 0; axis < 3; ++axis) {
    for (int extent = 1; extent <= 12; ++extent) {
      const auto at = ring_of(axis, extent);
      const int length = extent * tofu_group[static_cast<std::size_t>(axis)];
      ASSERT_EQ(static_cast<int>(at.size()), length);
      EXPECT_EQ(at.begin()->first, 0);
      for (int v = 0; v < length; ++v) {
        EXPECT_TRUE(are_neighbours(at.at(v), at.at((v + 1) % length)))
            << "axis " << axis << " of " << extent << " at " << v;
      }
    }
  }
}

// 24 x 18 x 16 groups of the whole machine, less what is not for jobs: 48 x 54 x 32 places.
TEST(TofuFold, gives_the_torus_of_the_whole_machine) {
  EXPECT_EQ(folded_lattice({24, 18, 16}), (Lattice{{{48, true}, {54, true}, {32, true}}}));
  EXPECT_TRUE(folded_lattice({24, 2, 16}).is_torus());
}

TEST(TofuFold, puts_every_node_of_a_job_at_a_place_of_its_own) {
  const std::array<int, 3> extents = {3, 4, 2};
  const Lattice lattice = folded_lattice(extents);
  std::vector<bool> taken(static_cast<std::size_t>(lattice.points()), false);
  const Lattice machine{{{3}, {4}, {2}, {2}, {3}, {2}}};
  for (int number = 0; number < machine.points(); ++number) {
    const Coordinates place = machine.coordinates_of(number);
    const int folded =
        lattice.number_of(folded_place({place[0], place[1], place[2], place[3], place[4], place[5]}, extents));
    EXPECT_FALSE(taken[static_cast<std::size_t>(folded)]);
    taken[static_cast<std::size_t>(folded)] = true;
  }
}

}  // namespace
}  // namespace espalier::tofu_test
