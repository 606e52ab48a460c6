// SPDX-License-Identifier: Apache-2.0
#include "arrival/profiled_swap.hpp"

#include <numeric>

namespace espalier::arrival {

ProfiledSwap::ProfiledSwap(const PlaceTree& tree, const SwapSettings& settings)
    : swap_(tree, settings.negligible),
      interval_(settings.first_interval, settings.interval_may_halve),
      profiles_(static_cast<std::size_t>(tree.size()), Profile(settings.profile)),
      reported_(profiles_.size()),
      next_(settings.lag + settings.first_interval - 1) {}

bool ProfiledSwap::learn(std::span<const double> waited) {
  for (std::size_t rank = 0; rank < waited.size(); ++rank) {
    if (const auto changed = profiles_[rank].note(waited[rank])) reported_[rank] = *changed;
  }
  if (++broadcasts_ < next_) return false;
  const bool exchanged = swap_.learn(reported_).has_value();
  next_ = broadcasts_ + interval_.next(std::accumulate(reported_.begin(), reported_.end(), 0.0));
  return exchanged;
}

}  // namespace espalier::arrival
