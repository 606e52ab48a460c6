// SPDX-License-Identifier: Apache-2.0
#include "arrival/swap_organiser.hpp"

#include <algorithm>
#include <numeric>

namespace espalier::arrival {

SwapSettings growing_from(int first_interval) {
  return {.profile = {.smoothing = Smoothing::three_in_a_row},
          .first_interval = first_interval,
          .interval_may_halve = false};
}

SwapOrganiser::SwapOrganiser(const PlaceTree& tree, const SwapSettings& settings)
    : tree_(tree),
      settling_(settings.settling),
      swap_(tree, settings.negligible),
      interval_(settings.first_interval, settings.interval_may_halve),
      waits_(static_cast<std::size_t>(tree.size())),
      period_(settings.first_interval) {}

void SwapOrganiser::receive(Rank from, double waits) {
  const auto rank = static_cast<std::size_t>(from);
  if (rank >= waits_.size()) return;
  waits_[rank] = waits;
  if (from != tree_.root()) ++reports_;
}

std::optional<RankSwap> SwapOrganiser::look() {
  const auto exchanged = swap_.learn(waits_);
  period_ = interval_.next(std::accumulate(waits_.begin(), waits_.end(), 0.0));
  if (exchanged) period_ = std::max(period_, settling_);
  return exchanged;
}

}  // namespace espalier::arrival
