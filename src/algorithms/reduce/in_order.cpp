// SPDX-License-Identifier: Apache-2.0
//            3               A binary search tree over the ranks: what stands left of a rank is summed left of it, so the
//         /     \            result has its operands in rank order. Its top hands the result to the root.
//       1         5
//      / \       / \         .
//     0   2     4   6
#include "algorithms/algorithm.hpp"

namespace espalier {

namespace {

// The ranks [low, high) of the subtree whose top is `me`, and the rank above it.
struct Subtree {
  Rank low, high, parent;
};

Rank middle(Rank low, Rank high) { return low + (high - low) / 2; }

Subtree find_subtree(Rank me, Rank size) {
  Subtree tree{0, size, no_rank};
  for (Rank top = middle(0, size); top != me; top = middle(tree.low, tree.high)) {
    tree.parent = top;
    if (me < top) tree.high = top;
    if (me > top) tree.low = top + 1;
  }
  return tree;
}

void build(Builder& b) {
  const Rank me = b.rank();
  const Rank top = middle(0, b.size());
  const Subtree tree = find_subtree(me, b.size());
  Stream sum = b.input();
  if (tree.low < me) sum = b.reduce(b.recv(middle(tree.low, me)), sum);
  if (me + 1 < tree.high) sum = b.reduce(sum, b.recv(middle(me + 1, tree.high)));
  if (me == top && b.is_root()) return b.output(sum);
  b.send(me == top ? b.root() : tree.parent, sum);
  if (b.is_root()) b.output(b.recv(top));
}

}  // namespace

extern const Algorithm reduce_in_order{
    .name = "in_order",
    .collective = Collective::reduce,
    .description = "binary tree in rank order, for operations that do not commute",
    .source = "in-order binary tree, as in Open MPI's coll/base",
    .order = {"in_order"},
    .keeps_rank_order = true,
    .build = build,
};

}  // namespace espalier
