// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/wave.hpp"

#include <algorithm>
#include <numeric>

#include "arrival/wave/climb.hpp"
#include "arrival/wave/descent.hpp"

namespace espalier::arrival {

void play(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
          const Transfer& transfer, Wave& wave) {
  for (auto* const times : {&wave.waited, &wave.left, &wave.ready, &wave.complete}) times->assign(arrivals.size(), 0);
  const auto root = static_cast<std::size_t>(tree.root());
  if (tree.flow() == Flow::down) {
    wave.ready[root] = wave.complete[root] = arrivals[static_cast<std::size_t>(arrangement.rank_at(tree.root()))];
  } else {
    climb(tree, arrangement, arrivals, transfer, wave);
  }
  if (tree.flow() != Flow::up) descend(tree, arrangement, arrivals, transfer, wave);
  wave.overall = std::ranges::max(wave.left) - std::ranges::min(arrivals);
  wave.mean = (std::accumulate(wave.left.begin(), wave.left.end(), 0.0) -
               std::accumulate(arrivals.begin(), arrivals.end(), 0.0)) /
              static_cast<double>(arrivals.size());
}

Wave play(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
          const Transfer& transfer) {
  Wave wave;
  play(tree, arrangement, arrivals, transfer, wave);
  return wave;
}

}  // namespace espalier::arrival
