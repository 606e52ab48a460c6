// SPDX-License-Identifier: Apache-2.0
// The paper's method on the optimising rank: from what the others report of their waits, now and then an exchange of
// two, and when the next one may be made. (Paper 4, sections 4 and 5.)
#pragma once

#include <cstdint>
#include <vector>

#include "arrival/profile.hpp"
#include "arrival/swap.hpp"

namespace espalier::arrival {

struct SwapSettings {
  ProfileSettings profile = {};
  int first_interval = 1;
  bool interval_may_halve = true;
  // Broadcasts after an exchange before it is judged: reports take one or two to arrive. (The paper does not say so;
  // without it good exchanges are undone at once.)
  int settling = 3;
  Negligible negligible = {.share = .1};  // every wait that was measured has a transfer in it
};

// As in the paper's benchmark (c): the interval only grows, and waits are smoothed by the mean of three that are alike.
[[nodiscard]] SwapSettings growing_from(int first_interval);

class SwapOrganiser {
 public:
  // `tree` must outlive this.
  explicit SwapOrganiser(const PlaceTree& tree, const SwapSettings& settings = {});

  // How long that rank waits by now; who reports nothing waits as before. Seconds.
  void receive(Rank from, double waits);
  // Looks for an exchange, or for one to undo, after as many broadcasts as were asked for.
  std::optional<RankSwap> look();
  // Broadcasts until it is to look again.
  [[nodiscard]] int period() const { return period_; }

  [[nodiscard]] const Arrangement& arrangement() const { return swap_.arrangement(); }
  // How many reports other ranks have sent.
  [[nodiscard]] std::uint64_t reports() const { return reports_; }

 private:
  const PlaceTree& tree_;
  const int settling_;
  Swap swap_;
  Interval interval_;
  std::vector<double> waits_;  // by rank
  std::uint64_t reports_ = 0;
  int period_;
};

}  // namespace espalier::arrival
