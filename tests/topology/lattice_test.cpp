// SPDX-License-Identifier: Apache-2.0
#include "topology/lattice.hpp"

#include <gtest/gtest.h>

namespace espalier::lattice_test {
namespace {

TEST(Lattice, numbers_its_places_with_the_first_axis_fastest) {
  const Lattice lattice{{{3, true}, {4, false}, {2, true}}};
  EXPECT_EQ(lattice.points(), 24);
  EXPECT_EQ(lattice.coordinates_of(0), (Coordinates{0, 0, 0}));
  EXPECT_EQ(lattice.coordinates_of(5), (Coordinates{2, 1, 0}));
  for (int number = 0; number < lattice.points(); ++number) {
    EXPECT_EQ(lattice.number_of(lattice.coordinates_of(number)), number);
  }
}

TEST(Lattice, steps_round_the_axes_that_wrap_and_no_others) {
  const Lattice lattice{{{3, true}, {4, false}, {1, true}}};
  Coordinates place{2, 3, 0};
  EXPECT_TRUE(lattice.step(place, 0, 1));
  EXPECT_EQ(place, (Coordinates{0, 3, 0}));
  EXPECT_FALSE(lattice.step(place, 1, 1));
  EXPECT_TRUE(lattice.step(place, 1, -1));
  EXPECT_FALSE(lattice.step(place, 2, 1)) << "an axis of one place leads nowhere";
}

TEST(Lattice, is_a_torus_if_all_its_axes_are_rings_of_three_or_more) {
  EXPECT_TRUE((Lattice{{{3, true}, {5, true}}}).is_torus());
  EXPECT_FALSE((Lattice{{{3, true}, {2, true}}}).is_torus());
  EXPECT_FALSE((Lattice{{{3, true}, {5, false}}}).is_torus());
  EXPECT_FALSE(Lattice{}.is_torus());
}

}  // namespace
}  // namespace espalier::lattice_test
