// SPDX-License-Identifier: Apache-2.0
#include "levels/handover.hpp"

#include "transport/shm/shm_node.hpp"

namespace espalier {

namespace {

// Where memory is mapped: to copy so little twice costs less than the line that says that it was read.
constexpr std::size_t max_twice_copied = 512;

}  // namespace

HandoverSizes handover_sizes(Handover handover, int processes) {
  if (handover != Handover::streams) {
    return {.short_bytes = max_twice_copied, .piece_bytes = max_twice_copied, .read_bytes = max_twice_copied};
  }
  const ShmPeer::ShmLimits limits;
  const StreamSize stream = ShmNode::stream_size(processes);
  const std::size_t piece = std::min(limits.of_long.piece_bytes, stream.max_payload());
  return {.short_bytes = std::min(limits.short_bytes, stream.max_payload()),
          .piece_bytes = piece,
          .read_bytes = limits.of_long.sliced_bytes,
          .pieces_under_way = static_cast<int>(stream.data_bytes / piece)};
}

}  // namespace espalier
