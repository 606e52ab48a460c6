// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/tree.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace espalier {
namespace {

using MakeTree = std::function<Tree(Rank me)>;

int height(const MakeTree& tree, Rank rank) {
  int highest = 0;
  const Tree here = tree(rank);
  for (const Rank child : here.children) highest = std::max(highest, 1 + height(tree, child));
  return highest;
}

void expect_spanning(const MakeTree& tree, Rank size, Rank root) {
  int links = 0;
  for (Rank rank = 0; rank < size; rank++) {
    const Tree here = tree(rank);
    EXPECT_EQ(here.has_parent(), rank != root);
    int lowest = 0;
    for (const Rank child : here.children_lowest_first()) {
      EXPECT_EQ(tree(child).parent, rank);
      EXPECT_GE(height(tree, child), lowest);  // in ascending order of height
      lowest = height(tree, child);
      links++;
    }
  }
  EXPECT_EQ(links, size - 1);
}

TEST(Tree, spans_all_ranks_whatever_the_root) {
  for (const Rank size : {1, 2, 3, 5, 8, 9, 16, 27, 33}) {
    for (Rank root = 0; root < size; root++) {
      for (const int k : {1, 2, 3}) {
        expect_spanning([&](Rank me) { return complete_tree(me, size, root, k); }, size, root);
      }
      for (const int k : {2, 3, 4, 8}) {
        expect_spanning([&](Rank me) { return knomial_tree(me, size, root, k); }, size, root);
      }
    }
  }
}

TEST(Tree, of_arity_one_is_a_chain) {
  EXPECT_EQ(height([](Rank me) { return complete_tree(me, 9, 4, 1); }, 4), 8);
}

TEST(Tree, binomial_has_logarithmic_height) {
  EXPECT_EQ(height([](Rank me) { return knomial_tree(me, 64, 0, 2); }, 0), 6);
  EXPECT_EQ(height([](Rank me) { return knomial_tree(me, 64, 0, 4); }, 0), 3);
}

}  // namespace
}  // namespace espalier
