// SPDX-License-Identifier: Apache-2.0
//    0 <-> 1   2 <-> 3        All of a group of neighbours tell each other that they are there, then those that stand
//    0 <-----> 2              alike in groups of such groups. Few signals go far. Radix 2 is drawn.
//      1 <-----> 3
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/nested_groups.hpp"

namespace espalier {

namespace {

void build(Builder& b) {
  const NestedGroups nest(b.rank(), b.size(), b.radix());
  Stream all = b.input();
  if (!nest.stays()) {
    b.send(nest.folded(), all);
    return b.output(b.recv(nest.folded()));
  }
  if (nest.has_folded()) all = b.reduce(all, b.recv(nest.folded()));
  for (int level = 0; level < nest.levels(); ++level) {
    const int groups = nest.groups(level), mine = nest.group(level);
    for (int k = 1; k < groups; ++k) b.send(nest.peer(level, (mine + k) % groups), all);
    // All of them are awaited at once: nobody waits for a late one before it takes the next.
    Bundle others;
    for (int k = 1; k < groups; ++k) others.push_back(b.recv(nest.peer(level, (mine + groups - k) % groups)));
    for (const Stream& other : others) all = b.reduce(all, other);
  }
  if (nest.has_folded()) b.send(nest.folded(), all);
  b.output(all);
}

}  // namespace

extern const Algorithm barrier_levels{
    .name = "levels",
    .collective = Collective::barrier,
    .description = "all of a group of neighbours, then those that stand alike in groups of such groups",
    .source = "folklore: recursive multiplying over the levels of a node",
    .takes_radix = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
