// SPDX-License-Identifier: Apache-2.0
//    Up the trees of bcast:trinaryx3, and when all sums are complete at their root, down the same trees.
#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"

namespace espalier {

namespace {

Pipeline pipeline(const Network& network) {
  Pipeline up_and_down = one_direction(network);
  up_and_down.in_phases = true;
  return up_and_down;
}

void build(Builder& b) {
  const std::vector<Tree> trees = trees_on_torus(b, false);
  Bundle sums;
  over_trees(b, trees, [&](Builder&, const Tree& tree) { sums.push_back(climb(b, tree)); });
  if (!trees.front().has_parent()) b.hold_until(sums);
  std::size_t t = 0;
  along_each(b, trees, [&](Builder&, const Tree& tree) { descend(b, tree, sums[t++]); });
}

}  // namespace

extern const Algorithm allreduce_trinaryx3{
    .name = "trinaryx3",
    .collective = Collective::allreduce,
    .description = "up as many link-disjoint trees as the torus has axes, then down the same trees",
    .source = "paper 1, section 4.2",
    .order = {"trinaryx3"},
    .needs = Needs::torus,
    .pipeline = pipeline,
    .build = build,
};

}  // namespace espalier
