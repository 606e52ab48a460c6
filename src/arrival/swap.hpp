// SPDX-License-Identifier: Apache-2.0
// The paper's method towards a better arrangement: the rank that waits longest changes places with one that does not
// wait, for that one is late; if all together then wait longer, that is undone, and the next one is tried. (Paper 4,
// section 4.2.)
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "arrival/wave/place_tree.hpp"
#include "core/arrangement.hpp"

namespace espalier::arrival {

// Of ranks.
struct RankSwap {
  Rank a = no_rank, b = no_rank;
  bool is_undone = false;
  friend bool operator==(const RankSwap&, const RankSwap&) = default;
};

// Who waits no longer does not wait. (The paper does not say what it takes for that.)
struct Negligible {
  double seconds = 0;
  double share = 0;  // of the longest wait
  [[nodiscard]] double of(double longest) const { return std::max(seconds, share * longest); }
};

class Swap {
 public:
  // `tree` must outlive this.
  explicit Swap(const PlaceTree& tree, const Negligible& negligible = {});

  // How long each rank waits, by rank. Makes at most one exchange, or undoes the last one.
  std::optional<RankSwap> learn(std::span<const double> waited);

  [[nodiscard]] const Arrangement& arrangement() const { return arrangement_; }

 private:
  [[nodiscard]] bool undo_if_worse(double sum);
  void find_candidates(std::span<const double> waited);

  const PlaceTree& tree_;
  const Negligible negligible_;
  Arrangement arrangement_;
  std::optional<RankSwap> tried_;  // last, and not yet known to be good
  double sum_before_ = 0;          // of all waits, when it was tried
  Rank longest_ = no_rank;         // the rank that waits longest; none: the candidates have to be found
  std::vector<Rank> candidates_;   // to change places with it, the last one first
};

// When the next exchange may be made. (Sections 4.4 and 5; where they contradict each other, 5 is right.)
class Interval {
 public:
  // Broadcasts; doubled where little changes, and halved where much does.
  explicit Interval(int broadcasts, bool may_halve = true)
      : least_(broadcasts), broadcasts_(broadcasts), may_halve_(may_halve) {}

  // After an exchange was looked for: all waits together. Returns the broadcasts until the next time.
  int next(double sum);

 private:
  const int least_;
  int broadcasts_;
  const bool may_halve_;
  double last_sum_ = -1;
};

}  // namespace espalier::arrival
