// SPDX-License-Identifier: Apache-2.0
//    Up and down the trees of bcast:multilane, in one pipeline: each half climbs the tree along which it will descend.
#include "algorithms/multilane.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// What climbs must not share a channel with what descends for the other half.
constexpr int upwards = 2;

Pipeline pipeline(const Network& network) {
  return {.trees = 2, .height = 2 * half_tree_height(network), .passes = 2, .streams = 4};
}

// The halves climb each at its own pace: kept in step they take a tenth longer, for one then waits for the other's
// children (estimated, and measured on 8 hosts with two NICs).
void build(Builder& b) {
  b.cut(2);
  const auto halves = half_trees(b.shape(), b.rank(), b.root());
  for (int half = 0; half < 2; ++half) {
    const HalfTree& tree = halves[half];
    const auto over = [&](const LanePeer& peer, int direction) {
      b.use({.first = half, .count = 1}, static_cast<Channel>(peer.lane + direction), peer.path());
    };
    over(tree.parent, 0);
    Stream sum = b.input();
    for (const LanePeer& child : tree.children) {
      over(child, upwards);
      sum = b.reduce(sum, b.recv(child.rank));
    }
    if (tree.has_parent()) {
      over(tree.parent, upwards);
      b.send(tree.parent.rank, sum);
      over(tree.parent, 0);
      sum = b.recv(tree.parent.rank);
    }
    for (const LanePeer& child : tree.children) {
      over(child, 0);
      b.send(child.rank, sum);
    }
    b.output(sum);
  }
}

}  // namespace

extern const Algorithm allreduce_multilane{
    .name = "multilane",
    .collective = Collective::allreduce,
    .description = "up and down the trees of bcast:multilane, each half in a pipeline of its own",
    .source = "paper 2, section 3, and the open points of section 9",
    .order = {"multilane"},
    .pipeline = pipeline,
    .contender = {{.on = NetworkKind::switches}},
    .build = build,
};

}  // namespace espalier
