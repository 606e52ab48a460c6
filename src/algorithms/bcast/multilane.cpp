// SPDX-License-Identifier: Apache-2.0
//            0
//          a/ \b        a, b: the halves of the message. Two binary trees; a rank that has a NIC left passes its half to
//         A1   B1       the other tree, so that every node uses two NICs in both directions (shapes/two_trees.hpp).
//       a/ \a b/ \b
//      A2  A3 B2  B3 ...  and A3 -a-> B1, ..., B3 -b-> A1
#include "algorithms/multilane.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

Pipeline pipeline(const Network& network) { return {.trees = 2, .height = half_tree_height(network), .streams = 2}; }

void build(Builder& b) {
  b.cut(2);
  const auto halves = half_trees(b.shape(), b.rank(), b.root());
  for (int half = 0; half < 2; ++half) {
    const HalfTree& tree = halves[half];
    // The root has both halves at once; elsewhere one must not wait for the other.
    if (half == 0 || !b.is_root()) b.keep_in_step();
    const Range part{.first = half, .count = 1};
    b.use(part, static_cast<Channel>(tree.parent.lane), tree.parent.path());
    const Stream data = tree.has_parent() ? b.recv(tree.parent.rank) : b.input();
    for (const LanePeer& child : tree.children) {
      b.use(part, static_cast<Channel>(child.lane), child.path());
      b.send(child.rank, data);
    }
    b.output(data);
  }
}

}  // namespace

extern const Algorithm bcast_multilane{
    .name = "multilane",
    .collective = Collective::bcast,
    .description = "two interleaved binary trees, each with half of the message, that use two NICs of every node",
    .source = "paper 2, section 3",
    .keeps_in_step = true,
    .pipeline = pipeline,
    .contender = {{.on = NetworkKind::switches, .preference = 2}},
    .build = build,
};

}  // namespace espalier
