// SPDX-License-Identifier: Apache-2.0
#include "arrival/largest_effect.hpp"

#include <algorithm>

#include "algorithms/shapes/tree.hpp"
#include "arrival/simulation.hpp"

namespace espalier::arrival {

namespace {

constexpr Rank first_child = paper::processes / 2;
constexpr int rounds = 7;                                       // of a binomial tree of 128
constexpr SwapSettings every_wait_counts = {.negligible = {}};  // in simulated time none has a transfer in it
constexpr int lag = 6;                                          // the root runs ahead, so profiles arrive late

PlaceTree binomial() {
  return {paper::processes, 0,
          [](Rank place) { return knomial_tree(place, paper::processes, 0, 2).children_farthest_first(); }};
}

// In the mean a rank waits for half of the rounds, and sends in as many. Short broadcasts took longest without a load:
// the ranks left the barrier one after the other, and a load hides that.
Transfer fitted(const paper::Row& row, std::size_t load) {
  const double each = std::min(row.mean[0].original, row.mean[load].ideal) / (rounds / 2.0);
  const double seconds = std::min(each, row.overall[0].original / rounds);
  return {.seconds = seconds, .busy_seconds = each - seconds};
}

Pattern late_by(double delay) {
  return [delay](int /*broadcast*/, std::vector<double>& arrivals) { arrivals[first_child] = delay; };
}

// With which the broadcast without exchanges takes as long as it did.
double fitted_delay(const PlaceTree& tree, const Transfer& transfer, double overall) {
  double low = 0, high = overall;
  for (int step = 0; step < 60; ++step) {
    const double delay = (low + high) / 2;
    const Scene scene{tree, transfer, late_by(delay), 1};
    (play_fixed(scene, Arrangement(paper::processes)).overall[0] < overall ? low : high) = delay;
  }
  return low;
}

}  // namespace

LargestEffect play_largest_effect(const paper::Row& row, std::size_t load) {
  const PlaceTree tree = binomial();
  const Transfer transfer = fitted(row, load);
  const double delay = fitted_delay(tree, transfer, row.overall[load].original);
  const Scene scene{tree, transfer, late_by(delay), paper::broadcasts};
  Arrangement exchanged(paper::processes);
  exchanged.exchange_places(first_child, paper::processes - 1);
  const Played original = play_fixed(scene, Arrangement(paper::processes));
  const Played optimised = play_swap(scene, every_wait_counts, lag);
  const Played ideal = play_fixed(scene, exchanged);
  const Played ordered = play_order(scene);
  return {{original.mean_overall(), optimised.mean_overall(), ideal.mean_overall()},
          {original.mean_of_means(), optimised.mean_of_means(), ideal.mean_of_means()},
          ordered.mean_overall(),
          ordered.mean_of_means(),
          delay};
}

}  // namespace espalier::arrival
