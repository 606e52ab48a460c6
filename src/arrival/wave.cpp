// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave.hpp"

#include <algorithm>
#include <numeric>

namespace espalier::arrival {

namespace {

struct Played {
  const PlaceTree& tree;
  const Arrangement& arrangement;
  std::span<const double> arrivals;
  const Transfer& transfer;
  Wave& wave;

  // A place's rank and its child's; when the sender could begin. Returns when it can begin with the next one.
  double send(Rank parent, Rank child, double begin) const {
    const auto from = static_cast<std::size_t>(parent);
    const auto to = static_cast<std::size_t>(child);
    const auto receiver = static_cast<std::size_t>(arrangement.rank_at(child));
    const double come = arrivals[receiver];
    const bool is_eager = transfer.sending == Sending::eager;
    const double data = begin + (is_eager ? transfer.first_seconds() : 0);  // what the receiver waits for
    const double met = std::max(come, data);
    wave.waited[receiver] = met - come;
    wave.ready[to] = met + (is_eager ? 0 : transfer.first_seconds());
    wave.complete[to] = std::max(wave.ready[to] + transfer.seconds - transfer.first_seconds(),
                                 wave.complete[from] + transfer.first_seconds());
    return (transfer.sending == Sending::blocking ? met : begin) + transfer.first_busy_seconds();
  }

  void serve(Rank place) const {
    const auto here = static_cast<std::size_t>(place);
    const std::vector<Rank>& children = tree.at(place).children;
    double next = wave.ready[here];
    for (const Rank child : children) next = send(place, child, next);
    const double later_segments = children.empty() ? 0 : transfer.busy_seconds - transfer.first_busy_seconds();
    wave.left[static_cast<std::size_t>(arrangement.rank_at(place))] =
        std::max(next, wave.complete[here]) + later_segments;
  }
};

}  // namespace

void play(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
          const Transfer& transfer, Wave& wave) {
  for (auto* const times : {&wave.waited, &wave.left, &wave.ready, &wave.complete}) times->assign(arrivals.size(), 0);
  const auto root = static_cast<std::size_t>(tree.root());
  wave.ready[root] = wave.complete[root] = arrivals[static_cast<std::size_t>(arrangement.rank_at(tree.root()))];
  const Played played{tree, arrangement, arrivals, transfer, wave};
  for (const Rank place : tree.from_root()) played.serve(place);
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
