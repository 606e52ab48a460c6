// SPDX-License-Identifier: Apache-2.0
// Blocks of all ranks down and up a k-nomial tree, as one message on each hop. Virtual ranks count from the root, and
// below each of them hang the ones that follow it.
#pragma once

#include "schedule/builder.hpp"

namespace espalier {

inline constexpr char block_trees_source[] =
    "Chan, Heimlich, Purkayastha, van de Geijn: Collective communication: theory, practice, and experience, 2007";

// A rank's place in the tree.
class BlockTree {
 public:
  explicit BlockTree(const Builder& b) : root_(b.root()), size_(b.size()), radix_(b.radix()) {
    vrank_ = wrap(std::int64_t{b.rank()} - root_, size_);
    while (reach_ < size_ && vrank_ / reach_ % radix_ == 0) reach_ *= radix_;
  }

  [[nodiscard]] bool has_parent() const { return vrank_ > 0; }
  [[nodiscard]] Rank parent() const { return rank_at(vrank_ - vrank_ / reach_ % radix_ * reach_); }
  // Its own block and those of all below it.
  [[nodiscard]] Range blocks() const {
    return {rank_at(vrank_), static_cast<int>(std::min<std::int64_t>(reach_, size_ - vrank_))};
  }

  // Calls work(child, where its blocks begin among those of this rank, how many they are), the nearest one first, or
  // the farthest.
  template <class Work>
  void for_each_child(bool farthest_first, Work work) const {
    if (farthest_first) {
      for (std::int64_t level = reach_ / radix_; level >= 1; level /= radix_) each_at(level, work);
    } else {
      for (std::int64_t level = 1; level < reach_; level *= radix_) each_at(level, work);
    }
  }

 private:
  [[nodiscard]] Rank rank_at(std::int64_t vrank) const { return wrap(vrank + root_, size_); }
  template <class Work>
  void each_at(std::int64_t level, Work work) const {
    for (int digit = 1; digit < radix_; ++digit) {
      const std::int64_t child = vrank_ + digit * level;
      const auto blocks = static_cast<int>(std::min<std::int64_t>(level, size_ - child));
      if (child < size_) work(rank_at(child), static_cast<int>(digit * level), blocks);
    }
  }

  Rank root_, size_;
  int radix_;
  std::int64_t vrank_ = 0, reach_ = 1;
};

// Down: each rank is left with its own block and those below it, in this order.
[[nodiscard]] inline Stream scatter_down(Builder& b) {
  const BlockTree tree(b);
  b.merge_streams();
  const Stream mine = tree.has_parent() ? b.recv(tree.parent(), tree.blocks()) : b.input(tree.blocks());
  tree.for_each_child(true, [&](Rank child, int first, int count) { b.send(child, mine.part(first, count)); });
  return mine;
}

// Up: the root is left with all blocks.
[[nodiscard]] inline Bundle gather_up(Builder& b) {
  const BlockTree tree(b);
  b.merge_streams();
  Bundle mine{b.input()};
  tree.for_each_child(false, [&](Rank child, int, int count) { mine.push_back(b.recv(child, {child, count})); });
  if (tree.has_parent()) b.send(tree.parent(), mine);
  return mine;
}

}  // namespace espalier
