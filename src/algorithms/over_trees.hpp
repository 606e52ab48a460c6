// SPDX-License-Identifier: Apache-2.0
// Several trees at once: each carries a part of the message of its own.
#pragma once

#include "algorithms/tree_flows.hpp"

namespace espalier {

// `tree_of(t)`: the t-th tree, as this rank sees it. `flow(b, tree)`: what flows along it.
template <class TreeOf, class Flow>
void over_trees(Builder& b, int trees, TreeOf tree_of, Flow flow) {
  b.cut(trees);
  for (int t = 0; t < trees; ++t) {
    b.use({.first = t, .count = 1}, static_cast<Lane>(t));
    flow(b, tree_of(t));
  }
}

}  // namespace espalier
