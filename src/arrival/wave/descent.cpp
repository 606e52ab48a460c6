// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/descent.hpp"

#include <algorithm>

namespace espalier::arrival {

namespace {

struct Descent {
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
    const double arrived = arrivals[receiver];
    const bool is_eager = transfer.sending == Sending::eager;
    const double data = begin + (is_eager ? transfer.first_seconds() : 0);  // what the receiver waits for
    const double met = std::max(arrived, data);
    if (is_first_message(child)) wave.waited[receiver] = met - arrived;
    wave.ready[to] = met + (is_eager ? 0 : transfer.first_seconds());
    wave.complete[to] = std::max(wave.ready[to] + transfer.seconds - transfer.first_seconds(),
                                 wave.complete[from] + transfer.first_seconds());
    return (transfer.sending == Sending::blocking ? met : begin) + transfer.first_busy_seconds();
  }

  // In an allreduce only leaves have received nothing until then.
  [[nodiscard]] bool is_first_message(Rank child) const {
    return tree.flow() == Flow::down || tree.at(child).children.empty();
  }

  void serve(Rank place) const {
    const auto here = static_cast<std::size_t>(place);
    const std::vector<Rank>& children = tree.at(place).children;
    double next = wave.ready[here];
    for (const Rank child : children) next = send(place, child, next);
    const auto sends = static_cast<double>(children.size());
    wave.left[static_cast<std::size_t>(arrangement.rank_at(place))] =
        std::max(next + sends * (transfer.busy_seconds - transfer.first_busy_seconds()),
                 wave.complete[here] + sends * transfer.first_busy_seconds());
  }
};

}  // namespace

void descend(const PlaceTree& tree, const Arrangement& arrangement, std::span<const double> arrivals,
             const Transfer& transfer, Wave& wave) {
  const Descent descent{tree, arrangement, arrivals, transfer, wave};
  for (const Rank place : tree.from_root()) descent.serve(place);
}

}  // namespace espalier::arrival
