// SPDX-License-Identifier: Apache-2.0
// The items of a schedule's operations under a partition: how many there are, which segment of which block each is, and
// which ones another item waits for.
#pragma once

#include <algorithm>
#include <vector>

#include "schedule/partition.hpp"

namespace espalier {

class Items {
 public:
  Items(const Schedule& schedule, const Partition& partition);

  // A segment of the block-th block of an operation's walk.
  struct Piece {
    int block = 0;
    int segment = 0;
  };

  [[nodiscard]] int count(std::uint32_t op) const { return counts_[op]; }
  [[nodiscard]] Piece piece(std::uint32_t op, int item) const {
    if (segments_ > 0) [[likely]]
      return {item / segments_, item % segments_};
    return uneven_piece(op, item);
  }

  // The first item of a block of the operation's walk; of the one past the last block: how many items there are.
  [[nodiscard]] int first_item(std::uint32_t op, int block) const {
    return segments_ > 0 ? std::min(block * segments_, counts_[op])
                         : first_items_[first_of_[op] + static_cast<std::uint32_t>(block)];
  }

  // How many items of dependency.operation must be done, or posted, before item `item` of `op`.
  [[nodiscard]] int needed(const Dependency& dependency, std::uint32_t op, int item, int window) const {
    return needed(dependency, counts_[dependency.operation], op, item, window);
  }
  // The same for those who have at hand how many items that operation has.
  [[nodiscard]] int needed(const Dependency& dependency, int all, std::uint32_t op, int item, int window) const;

  friend bool operator==(const Items&, const Items&) = default;

 private:
  [[nodiscard]] Piece uneven_piece(std::uint32_t op, int item) const;
  [[nodiscard]] int uneven_aligned(const Dependency& dependency, std::uint32_t op, int item) const;

  int segments_;  // of every block; 0: they differ
  std::vector<int> counts_;
  // Where they differ: the first item of each block of each operation, and one past the last. Merged ones are a block.
  std::vector<std::uint32_t> first_of_;
  std::vector<int> first_items_;
};

inline int Items::needed(const Dependency& dependency, int all, std::uint32_t op, int item, int window) const {
  std::int64_t count = all;
  switch (dependency.kind) {
    case Dependency::Kind::aligned:
      if (segments_ == 0) return uneven_aligned(dependency, op, item);
      count = item + 1 + std::int64_t{dependency.shift} * segments_;
      break;
    case Dependency::Kind::lagged: count = std::int64_t{item} + 1 - window; break;
    case Dependency::Kind::in_step: count = item; break;
    case Dependency::Kind::whole:
    case Dependency::Kind::posted: return all;
  }
  return static_cast<int>(std::clamp<std::int64_t>(count, 0, all));
}

}  // namespace espalier
