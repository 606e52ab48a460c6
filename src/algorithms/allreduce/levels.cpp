// SPDX-License-Identifier: Apache-2.0
//    0 1 | 2 3     reduce-scatter among neighbours, of halves: 0 and 2 have the left one, 1 and 3 the right one;
//     x     x
//    0 2 | 1 3     then among groups of them, of quarters; then an allgather back to all. The longest messages go
//     x     x      to the nearest ranks, so that most bytes stay in the innermost caches.
//                  Radix 2 is drawn; with radix k, k ranks exchange at once, each with a share of a k-th.
#include "algorithms/algorithm.hpp"
#include "algorithms/shapes/nested_groups.hpp"

namespace espalier {

namespace {

// The share of one of the groups that meet at a level.
Range share_of(const NestedGroups& nest, int level, const Range& all, int group) {
  const int blocks = all.count / nest.groups(level);
  return {all.first + group * blocks, blocks};
}

// Each gives all shares but its own away, to the next group first, so that not all begin with the same one.
Stream reduce_scatter_at(Builder& b, const NestedGroups& nest, int level, const Range& all, const Stream& sum) {
  const int groups = nest.groups(level), mine = nest.group(level);
  for (int k = 1; k < groups; ++k) {
    const int other = (mine + k) % groups;
    b.send(nest.peer(level, other), sum.at(share_of(nest, level, all, other)));
  }
  const Range own = share_of(nest, level, all, mine);
  Bundle contributions;
  for (int group = 0; group < groups; ++group) {
    contributions.push_back(group == mine ? sum.at(own) : b.recv(nest.peer(level, group), own));
  }
  Stream total = contributions.front();
  for (int group = 1; group < groups; ++group) total = b.reduce(total, contributions[static_cast<std::size_t>(group)]);
  return total;
}

Bundle allgather_at(Builder& b, const NestedGroups& nest, int level, const Range& all, const Bundle& share) {
  const int groups = nest.groups(level), mine = nest.group(level);
  for (int k = 1; k < groups; ++k) b.send(nest.peer(level, (mine + k) % groups), share);
  Bundle gathered;
  for (int group = 0; group < groups; ++group) {
    if (group == mine) {
      gathered.insert(gathered.end(), share.begin(), share.end());
    } else {
      gathered.push_back(b.recv(nest.peer(level, group), share_of(nest, level, all, group)));
    }
  }
  return gathered;
}

void build(Builder& b) {
  const NestedGroups nest(b.rank(), b.size(), b.radix());
  b.cut(nest.members());
  b.merge_streams();
  Stream sum = b.input();
  if (!nest.stays()) {
    b.send(nest.folded(), sum);
    return b.output(b.recv(nest.folded()));
  }
  if (nest.has_folded()) sum = b.reduce_in_rank_order(nest.folded(), sum, b.recv(nest.folded()));
  std::vector<Range> ranges = {{0, nest.members()}};
  for (int level = 0; level < nest.levels(); ++level) {
    sum = reduce_scatter_at(b, nest, level, ranges.back(), sum);
    ranges.push_back(share_of(nest, level, ranges.back(), nest.group(level)));
  }
  Bundle all = {sum};
  for (int level = nest.levels(); level-- > 0;) {
    all = allgather_at(b, nest, level, ranges[static_cast<std::size_t>(level)], all);
  }
  if (nest.has_folded()) b.send(nest.folded(), all);
  b.output(all);
}

}  // namespace

extern const Algorithm allreduce_levels{
    .name = "levels",
    .collective = Collective::allreduce,
    .description = "reduce-scatter among neighbours, then among groups of them, and an allgather back",
    .source =
        "Rabenseifner: Optimization of collective reduction operations, 2004; the nearest ranks first, k at a time",
    .order = {"levels", true},
    .keeps_rank_order = true,
    .takes_radix = true,
    .takes_few_steps = true,
    .build = build,
};

}  // namespace espalier
