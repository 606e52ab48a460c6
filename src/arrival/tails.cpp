// SPDX-License-Identifier: Apache-2.0
#include "arrival/tails.hpp"

#include <algorithm>
#include <ranges>

namespace espalier::arrival {

namespace {

struct Finder {
  const PlaceTree& tree;
  const Transfer& transfer;
  Tails& tails;
  std::vector<double> after_data;  // by place: from its first data on

  // Children are looked at from the last one to the first: where the sender waits for a late child, the later ones are
  // in that one's tail.
  void find_tail(Rank place) {
    const std::vector<Rank>& children = tree.at(place).children;
    const double later_busy = children.empty() ? 0 : transfer.busy_seconds - transfer.first_busy_seconds();
    double longest = transfer.seconds - transfer.first_seconds() +
                     transfer.first_busy_seconds() * static_cast<double>(children.size()) + later_busy;
    double next = 0;  // the tail of the child after this one
    for (const Rank child : children | std::views::reverse) {
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

}  // namespace

Tails find_tails(const PlaceTree& tree, const Transfer& transfer) {
  const auto size = static_cast<std::size_t>(tree.size());
  Tails tails{std::vector<double>(size), std::vector<double>(size)};
  Finder finder{tree, transfer, tails, std::vector<double>(size)};
  for (const Rank place : tree.from_root() | std::views::reverse) finder.find_tail(place);
  for (const Rank place : tree.from_root()) finder.find_service(place);
  const auto root = static_cast<std::size_t>(tree.root());
  tails.longest[root] = finder.after_data[root];
  return tails;
}

}  // namespace espalier::arrival
