// SPDX-License-Identifier: Apache-2.0
// The pairs of some ranks of one communicator, each of which is rank 10 + k of the world, without any MPI.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "mpi/communicators/pairs.hpp"

namespace espalier {

class PairsOfRanks {
 public:
  static constexpr Rank first_in_world = 10;
  static constexpr int id = 3;

  explicit PairsOfRanks(Rank size) {
    for (Rank me = 0; me < size; ++me) {
      auto tags = std::make_shared<PersistentTags>(peers(me, size), ids_);
      tags->use(id);
      all_.push_back(Pairs::make(std::move(tags)));
    }
  }
  [[nodiscard]] Pairs& operator[](Rank rank) { return *all_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] static Rank in_world(Rank rank) { return first_in_world + rank; }
  [[nodiscard]] static Rank in_pairs(Rank in_world) { return in_world - first_in_world; }
  void forget(Rank rank) { all_[static_cast<std::size_t>(rank)].reset(); }

 private:
  [[nodiscard]] static MpiPeers peers(Rank me, Rank size) {
    std::vector<int> ranks;
    for (Rank rank = 0; rank < size; ++rank) ranks.push_back(in_world(rank));
    MpiPeers made{.mpi = nullptr, .tags = {.ids = 8, .calls = 8}, .world_ranks = WorldRanks(ranks)};
    made.me = me;
    made.size = size;
    return made;
  }
  IdPool ids_{8};
  std::vector<std::shared_ptr<Pairs>> all_;
};

}  // namespace espalier
