// SPDX-License-Identifier: Apache-2.0
#include "arrival/simulation.hpp"

#include <algorithm>
#include <numeric>

namespace espalier::arrival {

namespace {

double mean_of(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

// `arrangement`: what it is by now; `learn`: from what the broadcast took.
template <class Learn>
Played play_all(const Scene& scene, const Arrangement& arrangement, Learn learn) {
  Played played;
  std::vector<double> arrivals(static_cast<std::size_t>(scene.tree.size()));
  Wave wave;
  for (int broadcast = 0; broadcast < scene.broadcasts; ++broadcast) {
    scene.pattern(broadcast, arrivals);
    play(scene.tree, arrangement, arrivals, scene.transfer, wave);
    played.overall.push_back(wave.overall);
    played.mean.push_back(wave.mean);
    if (learn(arrivals, wave)) played.moves.push_back(broadcast);
  }
  return played;
}

bool learn_nothing(const std::vector<double>& /*arrivals*/, const Wave& /*wave*/) { return false; }

}  // namespace

double Played::mean_overall() const { return mean_of(overall); }
double Played::mean_of_means() const { return mean_of(mean); }

Played play_fixed(const Scene& scene, const Arrangement& arrangement) {
  return play_all(scene, arrangement, learn_nothing);
}

Played play_swap(const Scene& scene, const SwapSettings& settings, int lag) {
  SwapOrganiser organiser(scene.tree, settings);
  std::vector<Profile> profiles(static_cast<std::size_t>(scene.tree.size()), Profile(settings.profile));
  int until_look = lag + settings.first_interval - 1;
  return play_all(scene, organiser.arrangement(), [&](const auto& /*arrivals*/, const Wave& wave) {
    for (Rank rank = 0; rank < scene.tree.size(); ++rank) {
      Profile& profile = profiles[static_cast<std::size_t>(rank)];
      profile.note(wave.waited[static_cast<std::size_t>(rank)]);
      if (const auto news = profile.news()) organiser.receive(rank, *news);
    }
    if (--until_look > 0) return false;
    const bool has_exchanged = organiser.look().has_value();
    until_look = organiser.period();
    if (has_exchanged) std::ranges::for_each(profiles, &Profile::restart);
    return has_exchanged;
  });
}

Played play_order(const Scene& scene) {
  Order order(scene.tree, scene.transfer);
  return play_all(scene, order.arrangement(),
                  [&](const auto& arrivals, const Wave& /*wave*/) { return order.learn(arrivals); });
}

}  // namespace espalier::arrival
