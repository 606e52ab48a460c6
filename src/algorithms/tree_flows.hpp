// SPDX-License-Identifier: Apache-2.0
// What flows along a tree; the collectives' files choose the tree.
#pragma once

#include "algorithms/shapes/tree.hpp"
#include "schedule/builder.hpp"

namespace espalier {

// This rank's, or rather its place's.
[[nodiscard]] inline Tree tree_here(const Builder& b, TreeOfPlaces tree) {
  return tree(b.place(), b.size(), b.root(), b.radix());
}

// Down: each rank passes on what its parent sends, segment by segment.
inline void broadcast_down(Builder& b, const Tree& tree) {
  const Stream data = tree.has_parent() ? b.recv(tree.parent) : b.input();
  for (const Rank child : tree.children_farthest_first()) b.send(child, data);
  b.output(data);
}

// Partial results climb; the order of the children fixes the order of the arithmetic, but they may arrive in any order:
// nobody waits because another one is late. Returns this rank's sum: at the root it is everybody's.
[[nodiscard]] inline Stream climb(Builder& b, const Tree& tree) {
  std::vector<Stream> parts;
  for (const Rank child : tree.children_lowest_first()) parts.push_back(b.recv(child));
  Stream sum = b.input();
  for (const Stream& part : parts) sum = b.reduce(sum, part);
  if (tree.has_parent()) b.send(tree.parent, sum);
  return sum;
}

// The root's sum comes down to all as the result.
inline void descend(Builder& b, const Tree& tree, const Stream& sum) {
  const Stream result = tree.has_parent() ? b.recv(tree.parent) : sum;
  for (const Rank child : tree.children_farthest_first()) b.send(child, result);
  b.output(result);
}

// Up.
inline void reduce_up(Builder& b, const Tree& tree) {
  const Stream sum = climb(b, tree);
  if (!tree.has_parent()) b.output(sum);
}

// Up and down at once: while later segments still climb, the results of earlier ones already descend.
inline void reduce_and_broadcast(Builder& b, const Tree& tree) { descend(b, tree, climb(b, tree)); }

}  // namespace espalier
