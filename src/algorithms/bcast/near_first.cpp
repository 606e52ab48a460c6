// SPDX-License-Identifier: Apache-2.0
//    0 -> 1               The binomial tree as Open MPI serves it: the nearest subtree first, which is the smallest. So
//    |\                   the farthest one waits for all others, at each rank that has it: to be compared with.
//    2 4 -> 5
#include "algorithms/algorithm.hpp"
#include "algorithms/tree_flows.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const Tree tree = tree_here(b, binomial);
  const Stream data = tree.has_parent() ? b.recv(tree.parent) : b.input();
  for (const Rank child : tree.children_lowest_first()) b.send(child, data);
  b.output(data);
}

}  // namespace

extern const Algorithm bcast_near_first{
    .name = "near_first",
    .collective = Collective::bcast,
    .description = "binomial tree, the nearest subtree first",
    .source = "Open MPI, ompi_coll_base_topo_build_bmtree",
    .tree = binomial,
    .build = build,
};

}  // namespace espalier
