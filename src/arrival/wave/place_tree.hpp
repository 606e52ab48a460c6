// SPDX-License-Identifier: Apache-2.0
// A tree of places, as all ranks together see it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/types.hpp"

namespace espalier::arrival {

// What flows along a tree.
enum class Flow : std::uint8_t {
  down,         // from the root: a broadcast
  up,           // to the root: a reduction
  up_and_down,  // what has arrived from below goes down to all: an allreduce
};

struct Place {
  Rank parent = no_rank;
  int turn = 0;                // when the parent sends to it, among the parent's children: 0 is the first
  int depth = 0;               // of the root: 0
  int group = 0;               // ranks exchange their places within a group alone
  std::vector<Rank> children;  // in the order in which they are sent to
};

class PlaceTree {
 public:
  // `children_of`: of a place, in the order in which it sends to them. `group_of`: of a place, such as its node where
  // the tree goes by the network; null: all are of one group. Throws std::invalid_argument if some place does not hang
  // on the root, or hangs twice.
  PlaceTree(Rank size, Rank root, const std::function<std::vector<Rank>(Rank)>& children_of,
            const std::function<int(Rank)>& group_of = nullptr, Flow flow = Flow::down);

  [[nodiscard]] Rank size() const { return static_cast<Rank>(places_.size()); }
  // The root keeps its place.
  [[nodiscard]] Rank root() const { return from_root_.front(); }
  [[nodiscard]] const Place& at(Rank place) const { return places_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] Flow flow() const { return flow_; }
  // All places; parents stand before their children.
  [[nodiscard]] const std::vector<Rank>& from_root() const { return from_root_; }
  [[nodiscard]] int sends(Rank place) const { return static_cast<int>(at(place).children.size()); }
  [[nodiscard]] bool may_exchange(Rank a, Rank b) const {
    return a != root() && b != root() && at(a).group == at(b).group;
  }

 private:
  std::vector<Place> places_;
  std::vector<Rank> from_root_;
  Flow flow_;
};

}  // namespace espalier::arrival
