// SPDX-License-Identifier: Apache-2.0
// Several trees at once: each carries a part of the message of its own.
#pragma once

#include "algorithms/tree_flows.hpp"

namespace espalier {

// `flow(b, tree)`: what flows along each, over its own channel. The message must be cut in as many blocks.
template <class Flow>
void along_each(Builder& b, const std::vector<Tree>& trees, Flow flow) {
  for (std::size_t t = 0; t < trees.size(); ++t) {
    b.use({.first = static_cast<int>(t), .count = 1}, static_cast<Channel>(t));
    flow(b, trees[t]);
  }
}

template <class Flow>
void over_trees(Builder& b, const std::vector<Tree>& trees, Flow flow) {
  b.cut(static_cast<int>(trees.size()));
  along_each(b, trees, flow);
}

}  // namespace espalier
