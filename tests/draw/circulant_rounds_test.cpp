// SPDX-License-Identifier: Apache-2.0
// The claim of its name: with one port per rank, n blocks take n - 1 + ceil(log2 p) rounds.
#include <gtest/gtest.h>

#include "../support/built.hpp"
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/circulant.hpp"
#include "draw/timeline.hpp"

namespace espalier {
namespace {

TEST(Circulant, takes_no_more_rounds_than_the_bound) {
  const Algorithm& algorithm = *find_algorithm(Collective::bcast, "circulant");
  for (const Rank ranks : {2, 3, 4, 5, 7, 8, 9, 13, 16, 17, 27, 32, 33, 64}) {
    for (const int blocks : {1, 2, 3, 5, 8, 10, 16, 33, 64}) {
      for (const Rank root : {0, ranks / 2}) {
        std::vector<Schedule> all;
        for (Rank me = 0; me < ranks; me++) {
          all.push_back(built(algorithm, {ranks}, me, {.root = root, .in_place = true, .pieces = blocks}));
        }
        EXPECT_EQ(run_idealised(all, 1, 4).steps, blocks - 1 + Circulant(ranks).phases()) << ranks << " " << blocks;
      }
    }
  }
}

}  // namespace
}  // namespace espalier
