// SPDX-License-Identifier: Apache-2.0
#include "arrival/largest_effect.hpp"

#include "arrival/paper_scene.hpp"

namespace espalier::arrival {

namespace {

constexpr Rank first_child = paper::processes / 2;

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
  const PlaceTree tree = paper_tree();
  const Transfer transfer = paper_transfer(row, load);
  const double delay = fitted_delay(tree, transfer, row.overall[load].original);
  const Scene scene{tree, transfer, late_by(delay), paper::broadcasts};
  Arrangement exchanged(paper::processes);
  exchanged.exchange_places(first_child, paper::processes - 1);
  const Played original = play_fixed(scene, Arrangement(paper::processes));
  const Played optimised = play_swap(scene, every_wait_counts, lag_of_reports);
  const Played ideal = play_fixed(scene, exchanged);
  const Played ordered = play_order(scene);
  return {{original.mean_overall(), optimised.mean_overall(), ideal.mean_overall()},
          {original.mean_of_means(), optimised.mean_of_means(), ideal.mean_of_means()},
          ordered.mean_overall(),
          ordered.mean_of_means(),
          delay};
}

}  // namespace espalier::arrival
