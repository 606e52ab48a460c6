// SPDX-License-Identifier: Apache-2.0
#include "arrival/wave/place_tree.hpp"

#include <stdexcept>

namespace espalier::arrival {

PlaceTree::PlaceTree(Rank size, Rank root, const std::function<std::vector<Rank>(Rank)>& children_of,
                     const std::function<int(Rank)>& group_of, Flow flow)
    : places_(static_cast<std::size_t>(size)), from_root_{root}, flow_(flow) {
  const auto place_at = [&](Rank place) -> Place& { return places_.at(static_cast<std::size_t>(place)); };
  for (std::size_t i = 0; i < from_root_.size(); ++i) {
    const Rank parent = from_root_[i];
    place_at(parent).children = children_of(parent);
    if (group_of) place_at(parent).group = group_of(parent);
    int turn = 0;
    for (const Rank child : at(parent).children) {
      if (child == root || place_at(child).parent != no_rank)
        throw std::invalid_argument("a place hangs on two others, or the root on one");
      place_at(child).parent = parent;
      place_at(child).turn = turn++;
      place_at(child).depth = at(parent).depth + 1;
      from_root_.push_back(child);
    }
  }
  if (from_root_.size() != places_.size()) throw std::invalid_argument("a place does not hang on the root");
}

}  // namespace espalier::arrival
