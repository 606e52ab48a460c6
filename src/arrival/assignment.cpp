// SPDX-License-Identifier: Apache-2.0
#include "arrival/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <vector>

namespace espalier::arrival {

namespace {

constexpr double rounding_of_times = 1e-12;
// To find few exchanges each late rank looks at all others, in the middle of a call of the application's.
constexpr Rank max_ranks_for_few = 2048;

double at(std::span<const double> numbers, Rank index) { return numbers[static_cast<std::size_t>(index)]; }

// Tails that differ by rounding alone are equal.
double without_rounding(double tail, double longest) {
  return longest > 0 ? std::round(tail / longest / rounding_of_times) : 0;
}

// Places, and ranks, group by group; the root alone, before all. A rank stands in its own group always, so the group of
// a rank is that of the place with its number.
int group_of(const PlaceTree& tree, Rank place) { return place == tree.root() ? -1 : tree.at(place).group; }

template <class Key>
std::vector<Rank> sorted_by(Rank size, Key key) {
  std::vector<Rank> sorted(static_cast<std::size_t>(size));
  std::iota(sorted.begin(), sorted.end(), 0);
  std::ranges::sort(sorted, {}, key);
  return sorted;
}

// When all is over, counted as arrivals are.
double end_of(const Tails& tails, std::span<const double> arrivals, const Arrangement& arrangement) {
  double end = at(arrivals, arrangement.rank_at(0)) + tails.longest[0];
  for (Rank place = 1; place < arrangement.size(); ++place)
    end = std::max(end, at(arrivals, arrangement.rank_at(place)) + at(tails.longest, place));
  return end;
}

struct Mover {
  const PlaceTree& tree;
  const Tails& tails;
  std::span<const double> arrivals;
  double end;  // by which all shall be over
  Arrangement arrangement;

  [[nodiscard]] bool is_late_for(Rank rank, Rank place) const {
    return at(arrivals, rank) + at(tails.longest, place) > end;
  }

  // With an earlier rank whose place bears the late one. False if there is none.
  [[nodiscard]] bool move(Rank late) {
    const Rank place = arrangement.place_of(late);
    if (!is_late_for(late, place)) return true;
    Rank best = no_rank;
    const auto worth = [&](Rank other) {
      const Rank there = arrangement.place_of(other);
      return std::tuple(is_late_for(other, place), at(tails.longest, there), at(arrivals, other), there);
    };
    for (Rank other = 0; other < arrangement.size(); ++other) {
      const Rank there = arrangement.place_of(other);
      if (!tree.may_exchange(place, there) || is_late_for(late, there) || at(arrivals, other) >= at(arrivals, late))
        continue;
      if (best == no_rank || worth(other) < worth(best)) best = other;
    }
    if (best == no_rank) return false;
    arrangement.exchange_places(late, best);
    return true;
  }
};

}  // namespace

Arrangement earliest_to_longest_tails(const PlaceTree& tree, const Tails& tails, std::span<const double> arrivals) {
  const double longest = std::ranges::max(tails.longest);
  const std::vector<Rank> places = sorted_by(tree.size(), [&](Rank place) {
    return std::tuple(group_of(tree, place), -without_rounding(at(tails.longest, place), longest),
                      at(tails.served, place), -tree.sends(place), place);
  });
  const std::vector<Rank> earliest =
      sorted_by(tree.size(), [&](Rank rank) { return std::tuple(group_of(tree, rank), at(arrivals, rank), rank); });
  std::vector<Rank> ranks(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) ranks[static_cast<std::size_t>(places[i])] = earliest[i];
  return Arrangement(std::move(ranks));
}

Arrangement few_exchanges(const PlaceTree& tree, const Tails& tails, std::span<const double> arrivals,
                          const Arrangement& present) {
  Arrangement best = earliest_to_longest_tails(tree, tails, arrivals);
  if (tree.size() > max_ranks_for_few) return best;
  const double end = end_of(tails, arrivals, best);
  Mover mover{tree, tails, arrivals, end + rounding_of_times * (1 + std::abs(end)), present};
  for (const Rank rank : sorted_by(tree.size(), [&](Rank rank) { return std::tuple(-at(arrivals, rank), rank); })) {
    if (rank != tree.root() && !mover.move(rank)) return best;
  }
  return end_of(tails, arrivals, mover.arrangement) <= mover.end ? mover.arrangement : best;
}

}  // namespace espalier::arrival
