// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/climb.hpp"

#include <algorithm>

#include "core/reversed.hpp"

namespace espalier::arrival {

namespace {

struct Climb {
  const PlaceTree& tree;
  const Arrangement& arrangement;
  std::span<const double> arrivals;
  const Transfer& transfer;
  Wave& wave;
  std::vector<Rank> children;  // of a place, in the order in which their sums come

  [[nodiscard]] std::size_t rank_at(Rank place) const { return static_cast<std::size_t>(arrangement.rank_at(place)); }

  // One after the other on the receiver's link: the first that is ready. `next`: when it is free. Returns when it is
  // again.
  double take(Rank parent, Rank child, double next) {
    const auto from = static_cast<std::size_t>(child);
    const auto to = static_cast<std::size_t>(parent);
    const double begin = std::max(next, wave.ready[from]);
    const double first = begin + transfer.first_seconds();
    const double last =
        std::max(first + transfer.seconds - transfer.first_seconds(), wave.complete[from] + transfer.first_seconds());
    if (child == children.front()) wave.waited[rank_at(parent)] = std::max(0.0, first - arrivals[rank_at(parent)]);
    wave.ready[to] = std::max(wave.ready[to], first);
    wave.complete[to] = std::max(wave.complete[to], last);
    if (transfer.sending != Sending::eager) wave.left[rank_at(child)] = last;
    return begin + transfer.first_busy_seconds();
  }

  void gather(Rank place) {
    const auto here = static_cast<std::size_t>(place);
    const double arrived = arrivals[rank_at(place)];
    children = tree.at(place).children;
    std::ranges::stable_sort(children, {}, [&](Rank child) { return wave.ready[static_cast<std::size_t>(child)]; });
    const bool is_eager = transfer.sending == Sending::eager;
    double next = is_eager && !children.empty() ? wave.ready[static_cast<std::size_t>(children.front())] : arrived;
    wave.ready[here] = wave.complete[here] = arrived;
    for (const Rank child : children) next = take(place, child, next);
    wave.left[rank_at(place)] = wave.complete[here];
  }
};

}  // namespace

void climb(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
           const Transfer& transfer, Wave& wave) {
  Climb sums{tree, arrangement, arrivals, transfer, wave, {}};
  for (const Rank place : reversed(tree.from_root())) sums.gather(place);
}

}  // namespace espalier::arrival
