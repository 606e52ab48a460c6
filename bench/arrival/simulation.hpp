// SPDX-License-Identifier: Apache-2.0
// Broadcasts one after the other in simulated time, each from a barrier on: what they take if places are learnt
// meanwhile.
#pragma once

#include <functional>
#include <vector>

#include "arrival/order.hpp"
#include "arrival/swap_organiser.hpp"

namespace espalier::arrival {

// Sets the times at which the ranks arrive at a broadcast, by rank.
using Pattern = std::function<void(int broadcast, std::vector<double>& arrivals)>;

struct Scene {
  const PlaceTree& tree;
  Transfer transfer;
  Pattern pattern;
  int broadcasts = 100;
};

struct Played {
  std::vector<double> overall, mean;  // of each broadcast, seconds
  std::vector<int> moves;             // broadcasts after which the arrangement changed

  [[nodiscard]] double mean_overall() const;
  [[nodiscard]] double mean_of_means() const;
};

[[nodiscard]] Played play_fixed(const Scene& scene, const Arrangement& arrangement);
// `lag`: broadcasts until the first reports have arrived, since the root runs ahead.
[[nodiscard]] Played play_swap(const Scene& scene, const SwapSettings& settings = {}, int lag = 1);
[[nodiscard]] Played play_order(const Scene& scene);

}  // namespace espalier::arrival
