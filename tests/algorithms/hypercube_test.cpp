// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/hypercube.hpp"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

TEST(Hypercube, gives_every_corner_to_one_rank_and_every_other_rank_a_partner) {
  for (Rank size = 1; size <= 33; size++) {
    for (const Rank root : {0, size / 2, size - 1}) {
      std::set<int> corners;
      for (Rank rank = 0; rank < size; rank++) {
        const Hypercube cube(rank, size, root);
        if (cube.stays()) {
          corners.insert(cube.corner());
          EXPECT_EQ(cube.rank_of(cube.corner()), rank);
        }
        if (cube.has_folded()) {
          const Hypercube other(cube.folded(), size, root);
          EXPECT_EQ(other.folded(), rank);
          EXPECT_NE(other.stays(), cube.stays());
        } else {
          EXPECT_TRUE(cube.stays());
        }
      }
      EXPECT_EQ(static_cast<int>(corners.size()), Hypercube(0, size).corners());
      EXPECT_EQ(Hypercube(root, size, root).corner(), 0);
    }
  }
}

}  // namespace
}  // namespace espalier
