// SPDX-License-Identifier: Apache-2.0
#include "arrival/paper_scene.hpp"

#include <algorithm>

#include "algorithms/shapes/tree.hpp"

namespace espalier::arrival {

namespace {

constexpr int rounds = 7;  // of a binomial tree of 128

}  // namespace

PlaceTree paper_tree() {
  return {paper::processes, 0,
          [](Rank place) { return knomial_tree(place, paper::processes, 0, 2).children_farthest_first(); }};
}

// In the mean a rank waits for half of the rounds, and sends in as many. Short broadcasts took longest without a load:
// the ranks left the barrier one after the other, and a load hides that.
Transfer paper_transfer(const paper::Row& row, std::size_t load) {
  const double each = std::min(row.mean[0].original, row.mean[load].ideal) / (rounds / 2.0);
  const double seconds = std::min(each, row.overall[0].original / rounds);
  return {.seconds = seconds, .busy_seconds = each - seconds};
}

}  // namespace espalier::arrival
