// SPDX-License-Identifier: Apache-2.0
// Which rank of MPI_COMM_WORLD each rank of a communicator is. Most communicators are regular (the world, a copy of it,
// its rows and columns), and then two numbers say it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/types.hpp"

namespace espalier {

class WorldRanks {
 public:
  WorldRanks() = default;
  explicit WorldRanks(std::span<const int> world_ranks);

  [[nodiscard]] Rank operator[](Rank rank) const { return table_.empty() ? first_ + rank * stride_ : table_[rank]; }

 private:
  Rank first_ = 0, stride_ = 1;
  std::vector<Rank> table_;  // empty if regular
};

}  // namespace espalier
