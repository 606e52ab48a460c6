// SPDX-License-Identifier: Apache-2.0
// Which ranks of a communicator share a node. Equal on all of them. Where each node has as many, one after the other,
// no table is kept: it would be as long on each rank as the communicator is large.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/rank_numbers.hpp"
#include "core/types.hpp"

namespace espalier {

// The ranks of one node, in ascending order; never none.
class RanksOfNode {
 public:
  // `table`: null if they follow one another from `first` on.
  RanksOfNode(Rank first, const Rank* table, std::size_t count) : first_(first), table_(table), count_(count) {}

  class Iterator {
   public:
    using element_type = Rank;  // what it points to, for std::iterator_traits
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    Iterator(Rank first, const Rank* table, std::size_t at) : first_(first), table_(table), at_(at) {}
    Rank operator*() const { return table_ != nullptr ? table_[at_] : first_ + static_cast<Rank>(at_); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const Iterator& one, const Iterator& other) { return one.at_ == other.at_; }

   private:
    Rank first_ = 0;
    const Rank* table_ = nullptr;
    std::size_t at_ = 0;
  };

  [[nodiscard]] Iterator begin() const { return {first_, table_, 0}; }
  [[nodiscard]] Iterator end() const { return {first_, table_, count_}; }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] Rank operator[](std::size_t k) const {
    return table_ != nullptr ? table_[k] : first_ + static_cast<Rank>(k);
  }
  [[nodiscard]] Rank front() const { return (*this)[0]; }

 private:
  Rank first_;
  const Rank* table_;
  std::size_t count_;
};

class RanksByNode {
 public:
  // Each rank's node, by any number. Nodes are numbered again, in the order of their lowest ranks.
  explicit RanksByNode(std::span<const int> node_of);

  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] int node_of(Rank rank) const { return node_of_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] RanksOfNode ranks_on(int node) const {
    const auto at = static_cast<std::size_t>(node);
    if (begins_.empty()) return {node * fewest_ranks_, nullptr, static_cast<std::size_t>(fewest_ranks_)};
    return {0, ranks_.data() + begins_[at], begins_[at + 1] - begins_[at]};
  }
  // Of the node that has the fewest.
  [[nodiscard]] Rank fewest_ranks() const { return fewest_ranks_; }
  // There are several nodes, and several ranks on one of them.
  [[nodiscard]] bool has_levels() const { return nodes_ > 1 && static_cast<std::size_t>(nodes_) < node_of_.size(); }

 private:
  void list_ranks(std::span<const int> numbers);

  RankNumbers node_of_;
  int nodes_ = 0;
  Rank fewest_ranks_ = 0;
  // Empty where all nodes have as many, one after the other: those of node n are ranks_[begins_[n]] and on.
  std::vector<Rank> ranks_;
  std::vector<std::uint32_t> begins_;
};

}  // namespace espalier
