// SPDX-License-Identifier: Apache-2.0
#include "core/world_ranks.hpp"

namespace espalier {

WorldRanks::WorldRanks(std::span<const int> world_ranks) {
  if (!world_ranks.empty()) first_ = world_ranks[0];
  if (world_ranks.size() > 1) stride_ = world_ranks[1] - world_ranks[0];
  for (std::size_t rank = 0; rank < world_ranks.size(); ++rank) {
    if (world_ranks[rank] == first_ + static_cast<Rank>(rank) * stride_) continue;
    table_.assign(world_ranks.begin(), world_ranks.end());
    return;
  }
}

}  // namespace espalier
