// SPDX-License-Identifier: Apache-2.0
// What a reduction computes, exactly: trees over the ranks' contributions, each distinct tree stored once.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "contract/contract.hpp"

namespace espalier {

// All expressions of one proof. They say nothing of blocks and segments: equal trees over different elements are one
// expression.
class Expressions {
 public:
  using Id = std::uint32_t;
  static constexpr Id none = ~Id{0};

  struct Term {
    Id left = none, right = none;  // none: a leaf
    Rank rank = no_rank;           // of a leaf
    Rank low = 0, high = 0;  // the operands are ranks low, low + 1, ... high - 1 in this order; 0, 0: they are not
    bool repeats = false;    // a contribution occurs more than once
    std::uint64_t hash = 0;  // of the exact tree
    std::uint64_t commutative_hash = 0;  // of the tree where the operands of any node may be swapped

    [[nodiscard]] bool is_leaf() const { return left == none; }
  };

  explicit Expressions(Rank ranks);

  [[nodiscard]] static Id leaf(Rank rank) { return static_cast<Id>(rank); }
  // left o right
  [[nodiscard]] Id join(Id left, Id right);

  [[nodiscard]] const Term& operator[](Id id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

  [[nodiscard]] bool holds(Id id, Rank rank) const {
    return (contributors(id)[static_cast<std::size_t>(rank) / 64] >> (rank % 64) & 1) != 0;
  }
  // Are the operands just these ranks, in this order?
  [[nodiscard]] bool is_in_rank_order(Id id, RankRange ranks) const {
    return nodes_[id].low == ranks.first && nodes_[id].high == ranks.first + ranks.count;
  }

  // The value of an expression in any arithmetic: leaf(rank) -> Value, join(left, right) -> Value.
  template <class Value, class Leaf, class Join>
  [[nodiscard]] Value evaluate(Id id, const Leaf& leaf_value, const Join& join_values) const;

 private:
  [[nodiscard]] std::span<const std::uint64_t> contributors(Id id) const {
    return {contributors_.data() + id * words_, words_};
  }

  std::size_t words_;  // of a set of ranks
  std::vector<Term> nodes_;
  std::vector<std::uint64_t> contributors_;  // words_ for each node: a bit for each rank
  std::unordered_map<std::uint64_t, Id> joined_;
};

// Nodes follow their operands, so one pass over those below `id` suffices: no recursion, however deep a chain is.
template <class Value, class Leaf, class Join>
Value Expressions::evaluate(Id id, const Leaf& leaf_value, const Join& join_values) const {
  std::vector<bool> wanted(id + 1, false);
  wanted[id] = true;
  for (Id i = id + 1; i-- > 0;) {
    if (!wanted[i] || nodes_[i].is_leaf()) continue;
    wanted[nodes_[i].left] = wanted[nodes_[i].right] = true;
  }
  std::vector<Value> values(id + 1);
  for (Id i = 0; i <= id; ++i) {
    if (!wanted[i]) continue;
    const Term& node = nodes_[i];
    values[i] = node.is_leaf() ? leaf_value(node.rank) : join_values(values[node.left], values[node.right]);
  }
  return values[id];
}

}  // namespace espalier
