// SPDX-License-Identifier: Apache-2.0
// Which number a rank of MPI_COMM_WORLD has among those of this node. A table of all ranks would be as long on each
// rank as the job is large.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

class RanksInNode {
 public:
  RanksInNode() = default;
  // The ranks of the node, in ascending order: the first one has number 0.
  explicit RanksInNode(std::span<const Rank> ranks);

  // Less than 0: it is elsewhere.
  [[nodiscard]] int number_of(Rank rank) const {
    const Rank behind = rank - first_;
    if (is_stretch_) [[likely]]
      return behind >= 0 && behind < count_ ? behind : -1;
    return number_in_table(rank);
  }

 private:
  [[nodiscard]] int number_in_table(Rank rank) const;

  Rank first_ = 0, count_ = 0;
  bool is_stretch_ = true;  // they follow one another
  std::vector<Rank> table_;
};

}  // namespace espalier
