// SPDX-License-Identifier: Apache-2.0
#include "arrival/random_load.hpp"

#include <random>

#include "arrival/paper_scene.hpp"

namespace espalier::arrival {

namespace {

constexpr int patterns = 200;
constexpr unsigned most_multiplications = 1'000'000;
// What one takes: (a)'s products of 80 x 80 matrices come to 4.9 ns.
constexpr double milliseconds_each = 4.9e-6;

std::vector<double> loads_of(unsigned pattern) {
  std::vector<double> loads(paper::processes);
  std::minstd_rand draw(pattern + 1);
  for (double& load : loads) load = milliseconds_each * static_cast<double>(draw() % most_multiplications);
  return loads;
}

RandomLoad play_pattern(const PlaceTree& tree, const Transfer& transfer, const std::vector<double>& loads) {
  const Pattern pattern = [&](int /*broadcast*/, std::vector<double>& arrivals) { arrivals = loads; };
  const Scene scene{tree, transfer, pattern, paper::broadcasts};
  const Played original = play_fixed(scene, Arrangement(paper::processes));
  const Played swapped = play_swap(scene, every_wait_counts, lag_of_reports);
  const Played ordered = play_order(scene);
  return {{original.mean_overall(), swapped.mean_overall(), ordered.mean_overall()},
          {original.mean_of_means(), swapped.mean_of_means(), ordered.mean_of_means()}};
}

}  // namespace

std::vector<RandomLoad> play_random_loads(const paper::Row& row) {
  const PlaceTree tree = paper_tree();
  const Transfer transfer = paper_transfer(row, 0);
  std::vector<RandomLoad> played;
  for (unsigned pattern = 0; pattern < patterns; ++pattern)
    played.push_back(play_pattern(tree, transfer, loads_of(pattern)));
  return played;
}

}  // namespace espalier::arrival
