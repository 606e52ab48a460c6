// SPDX-License-Identifier: Apache-2.0
// The paper's whole method on the optimising rank: profiles of how long each rank waits, and now and then an exchange.
// (Paper 4, sections 4 and 5.)
#pragma once

#include <span>
#include <vector>

#include "arrival/profile.hpp"
#include "arrival/swap.hpp"

namespace espalier::arrival {

struct SwapSettings {
  ProfileSettings profile = {};
  int first_interval = 1;
  bool interval_may_halve = true;
  int lag = 1;  // broadcasts until the first profiles have arrived: the root runs ahead
  Negligible negligible = {};
};

class ProfiledSwap {
 public:
  // `tree` must outlive this.
  explicit ProfiledSwap(const PlaceTree& tree, const SwapSettings& settings = {});

  // How long each rank waited in the next broadcast, by rank. Returns whether the arrangement is another one from now
  // on.
  bool learn(std::span<const double> waited);

  [[nodiscard]] const Arrangement& arrangement() const { return swap_.arrangement(); }

 private:
  Swap swap_;
  Interval interval_;
  std::vector<Profile> profiles_;
  std::vector<double> reported_;  // waits, by rank
  int broadcasts_ = 0;
  int next_;  // broadcast after which an exchange is looked for
};

}  // namespace espalier::arrival
