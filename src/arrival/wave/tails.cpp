// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/tails.hpp"

#include <algorithm>

#include "core/reversed.hpp"

namespace espalier::arrival {

namespace {

// Tails of what goes down.
struct Finder {
  const PlaceTree& tree;
  const Transfer& transfer;
  Tails& tails;
  std::vector<double> after_data;  // by place: from its first data on

  // Children are looked at from the last one to the first: where the sender waits for a late child, the later ones are
  // in that one's tail.
  void find_tail(Rank place) {
    const std::vector<Rank>& children = tree.at(place).children;
    const auto sends = static_cast<double>(children.size());
    double longest = std::max(sends * transfer.busy_seconds,
                              transfer.seconds - transfer.first_seconds() + sends * transfer.first_busy_seconds());
    double next = 0;  // the tail of the child after this one
    for (const Rank child : reversed(children)) {
      const double below = transfer.first_seconds() + after_data[static_cast<std::size_t>(child)];
      double tail = transfer.sending == Sending::eager ? below - transfer.first_seconds() : below;
      if (transfer.sending == Sending::blocking) tail = std::max(tail, transfer.first_busy_seconds() + next);
      tails.longest[static_cast<std::size_t>(child)] = next = tail;
      longest = std::max(longest, tree.at(child).turn * transfer.first_busy_seconds() + below);
    }
    after_data[static_cast<std::size_t>(place)] = longest;
  }

  void find_service(Rank place) {
    const bool is_root = place == tree.root();
    const double begin = tails.served[static_cast<std::size_t>(place)] + (is_root ? 0 : transfer.first_seconds());
    for (const Rank child : tree.at(place).children)
      tails.served[static_cast<std::size_t>(child)] = begin + tree.at(child).turn * transfer.first_busy_seconds();
  }
};

// The first to arrive has to take what its children have ready, if it was not sent eagerly; then its sum climbs.
double tail_up(const PlaceTree& tree, const Transfer& transfer, Rank place) {
  const int children = tree.sends(place);
  const bool must_gather = transfer.sending != Sending::eager && children > 0;
  const double gathering = must_gather ? transfer.first_seconds() + (children - 1) * transfer.first_busy_seconds() : 0;
  return gathering + tree.at(place).depth * transfer.first_seconds() + transfer.seconds - transfer.first_seconds();
}

Tails tails_down(const PlaceTree& tree, const Transfer& transfer) {
  const auto size = static_cast<std::size_t>(tree.size());
  Tails tails{std::vector<double>(size), std::vector<double>(size)};
  Finder finder{tree, transfer, tails, std::vector<double>(size)};
  for (const Rank place : reversed(tree.from_root())) finder.find_tail(place);
  for (const Rank place : tree.from_root()) finder.find_service(place);
  const auto root = static_cast<std::size_t>(tree.root());
  tails.longest[root] = finder.after_data[root];
  return tails;
}

}  // namespace

Tails find_tails(const PlaceTree& tree, const Transfer& transfer) {
  Tails tails = tails_down(tree, transfer);
  if (tree.flow() == Flow::down) return tails;
  const double later_segments = transfer.seconds - transfer.first_seconds();
  const double after_sum =
      tree.flow() == Flow::up ? 0 : tails.longest[static_cast<std::size_t>(tree.root())] - later_segments;
  for (Rank place = 0; place < tree.size(); ++place) {
    tails.longest[static_cast<std::size_t>(place)] = tail_up(tree, transfer, place) + after_sum;
    tails.served[static_cast<std::size_t>(place)] = -tree.at(place).depth;
  }
  return tails;
}

}  // namespace espalier::arrival
