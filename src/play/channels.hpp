// SPDX-License-Identifier: Apache-2.0
// Between which ranks the messages of a collective go: the channels of all ranks' schedules, numbered once for any
// number of runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace espalier {

// All messages from one rank to another on one channel: they are matched first with first.
struct PlayedChannel {
  Rank sender = 0, receiver = 0;
};

class PlayedChannels {
 public:
  explicit PlayedChannels(std::span<const Schedule> ranks);

  [[nodiscard]] std::span<const PlayedChannel> all() const { return channels_; }
  // Of a block of one of a rank's operations, which sends or receives.
  [[nodiscard]] std::uint32_t of(std::size_t rank, std::uint32_t operation, int block) const {
    return numbers_[first_number_[first_operation_[rank] + operation] + static_cast<std::uint32_t>(block)];
  }

 private:
  std::vector<PlayedChannel> channels_;
  std::vector<std::uint32_t> numbers_;          // of each operation with each of its peers
  std::vector<std::uint32_t> first_number_;     // in that, by operation of each rank
  std::vector<std::uint32_t> first_operation_;  // in that, by rank
};

}  // namespace espalier
