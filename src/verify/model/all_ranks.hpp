// SPDX-License-Identifier: Apache-2.0
// All ranks' schedules as one: every operation has a number of its own, and the channels between ranks are known.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"
#include "verify/model/case.hpp"

namespace espalier::proof {

// Consecutive blocks of one operation, all of which are exchanged with the same rank. A merged operation counts as a
// single block.
struct Stretch {
  std::uint32_t op = 0;
  int first = 0;
  int blocks = 0;
};

class AllRanks {
 public:
  struct ChannelEnds {
    Rank from = no_rank, to = no_rank;
    Channel channel = 0;
    std::vector<Stretch> sends, receives;  // in the order of their operations' numbers
  };
  static constexpr std::uint32_t no_channel = ~std::uint32_t{0};

  // The schedules must have passed check_structure() and must outlive this.
  AllRanks(const Case& problem, std::span<const Schedule> ranks);

  [[nodiscard]] const Case& problem() const { return problem_; }
  [[nodiscard]] Rank size() const { return static_cast<Rank>(ranks_.size()); }
  [[nodiscard]] int blocks() const { return ranks_[0].blocks; }
  [[nodiscard]] const Schedule& schedule(Rank rank) const { return ranks_[rank]; }
  [[nodiscard]] std::uint32_t operations() const { return first_.back(); }
  [[nodiscard]] const std::vector<ChannelEnds>& channels() const { return channels_; }

  // The number of a rank's first operation; that of rank size() is one past the last.
  [[nodiscard]] std::uint32_t first(Rank rank) const { return first_[rank]; }
  [[nodiscard]] Rank rank_of(std::uint32_t op) const { return rank_of_[op]; }
  [[nodiscard]] std::uint32_t number_of(std::uint32_t op) const { return op - first_[rank_of_[op]]; }
  [[nodiscard]] const Operation& operation(std::uint32_t op) const { return *operations_[op]; }
  [[nodiscard]] std::uint32_t channel_of(std::uint32_t op, int block) const {
    return channel_of_[first_peer_[op] + (operation(op).has_one_peer() ? 0 : block)];
  }
  [[nodiscard]] std::span<const Dependency> dependencies_of(std::uint32_t op) const {
    return ranks_[rank_of_[op]].dependencies_of(*operations_[op]);
  }
  // The operation that a dependency of `op` speaks of.
  [[nodiscard]] std::uint32_t target_of(std::uint32_t op, const Dependency& dependency) const {
    return first_[rank_of_[op]] + dependency.operation;
  }

 private:
  void find_channels();

  Case problem_;
  std::span<const Schedule> ranks_;
  std::vector<std::uint32_t> first_;
  std::vector<Rank> rank_of_;
  std::vector<const Operation*> operations_;
  std::vector<std::uint32_t> first_peer_;  // of each operation, in channel_of_
  std::vector<std::uint32_t> channel_of_;
  std::vector<ChannelEnds> channels_;
};

}  // namespace espalier::proof
