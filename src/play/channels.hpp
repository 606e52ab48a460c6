// SPDX-License-Identifier: Apache-2.0
// Between which ranks the messages of a collective go: the channels of all ranks' schedules, numbered once for any
// number of runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/prefetch.hpp"
#include "schedule/schedule.hpp"

namespace espalier {

// All messages from one rank to another on one channel: they are matched first with first.
struct PlayedChannel {
  Rank sender = 0, receiver = 0;
};

// What is asked of an operation at each of its items: apart, as operations take up ten times as much memory, which no
// cache holds for all ranks.
struct PlayedOperation {
  std::uint32_t channel = 0;  // to or from its only peer; otherwise where those with its peers are listed
  std::int32_t label = -1;    // of its only block; -1: there are none or several
  Path path = 0;
  Operation::Kind kind = Operation::Kind::copy;
  bool has_one_peer = false;
};

class PlayedChannels {
 public:
  explicit PlayedChannels(std::span<const Schedule> ranks);

  [[nodiscard]] std::span<const PlayedChannel> all() const { return channels_; }
  [[nodiscard]] const PlayedOperation& operation(std::size_t rank, std::uint32_t operation) const {
    return operations_[first_operation_[rank] + operation];
  }
  [[nodiscard]] std::span<const PlayedOperation> operations_of(std::size_t rank) const {
    return {operations_.data() + first_operation_[rank], operations_.data() + first_operation_[rank + 1]};
  }
  void prefetch(std::size_t rank) const {
    const std::span<const PlayedOperation> operations = operations_of(rank);
    prefetch_all(operations.data(), operations.size_bytes());
  }
  // Of a block of one of a rank's operations, which sends or receives.
  [[nodiscard]] std::uint32_t of(std::size_t rank, std::uint32_t operation, int block) const {
    const PlayedOperation& played = this->operation(rank, operation);
    return played.has_one_peer ? played.channel : numbers_[played.channel + static_cast<std::uint32_t>(block)];
  }

 private:
  std::vector<PlayedChannel> channels_;
  std::vector<PlayedOperation> operations_;     // of all ranks
  std::vector<std::uint32_t> first_operation_;  // in that, by rank; and one past the last
  std::vector<std::uint32_t> numbers_;          // of channels: of each operation that has several peers, with each
};

}  // namespace espalier
