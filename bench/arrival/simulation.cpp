// SPDX-License-Identifier: Apache-2.0
#include "arrival/simulation.hpp"

#include <numeric>

#include "arrival/assignment.hpp"

namespace espalier::arrival {

namespace {

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// `arrangement_for`: of a broadcast, when its arrivals are known; `learn`: from what it took. Both may change their
// minds.
template <class ArrangementFor, class Learn>
Played play_all(const Scene& scene, ArrangementFor arrangement_for, Learn learn) {
  Played played;
  std::vector<double> arrivals(static_cast<std::size_t>(scene.tree.size()));
  Wave wave;
  for (int broadcast = 0; broadcast < scene.broadcasts; ++broadcast) {
    scene.pattern(broadcast, arrivals);
    play(scene.tree, arrangement_for(arrivals), arrivals, scene.transfer, wave);
    played.overall.push_back(wave.overall);
    played.mean.push_back(wave.mean);
    if (learn(broadcast, arrivals, wave)) played.moves.push_back(broadcast);
  }
  return played;
}

bool learn_nothing(int /*broadcast*/, const std::vector<double>& /*arrivals*/, const Wave& /*wave*/) { return false; }

}  // namespace

double Played::mean_overall() const { return mean_of(overall); }
double Played::mean_of_means() const { return mean_of(mean); }

Played play_fixed(const Scene& scene, const Arrangement& arrangement) {
  return play_all(
      scene, [&](const auto& /*arrivals*/) -> const Arrangement& { return arrangement; }, learn_nothing);
}

Played play_best(const Scene& scene) {
  const Tails tails = find_tails(scene.tree, scene.transfer);
  return play_all(
      scene, [&](const auto& arrivals) { return earliest_to_longest_tails(scene.tree, tails, arrivals); },
      learn_nothing);
}

Played play_swap(const Scene& scene, const SwapSettings& settings) {
  ProfiledSwap swap(scene.tree, settings);
  return play_all(
      scene, [&](const auto& /*arrivals*/) -> const Arrangement& { return swap.arrangement(); },
      [&](int /*broadcast*/, const auto& /*arrivals*/, const Wave& wave) { return swap.learn(wave.waited); });
}

Played play_order(const Scene& scene) {
  Order order(scene.tree, scene.transfer);
  return play_all(
      scene, [&](const auto& /*arrivals*/) -> const Arrangement& { return order.arrangement(); },
      [&](int /*broadcast*/, const auto& arrivals, const Wave& /*wave*/) { return order.learn(arrivals); });
}

}  // namespace espalier::arrival
