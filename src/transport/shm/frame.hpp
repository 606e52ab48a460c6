// SPDX-License-Identifier: Apache-2.0
// What a process writes for another one of its node: frames. Each has a cache line of its own, and what does not fit
// there follows in a ring of bytes (stream.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/types.hpp"

namespace espalier {

// Messages with equal keys are matched in the order in which they were sent.
struct MessageKey {
  std::uint64_t run = 0;
  std::uint32_t context = 0;  // of the communicator
  Channel channel = 0;

  friend bool operator==(const MessageKey&, const MessageKey&) = default;
};

// A long message under way, as one of its two ends calls it; 0: none (transfers.hpp).
using TransferName = std::uint32_t;

enum class FrameKind : std::uint8_t {
  message,       // all of it
  announcement,  // of one that is too long for that: its receiver reads it in the sender's memory, or asks for pieces
  request,       // the receiver reads `transfer`, and asks its sender to write slices of it: `bytes` in all
  grant,         // the receiver asks for pieces of `transfer`, which it calls `answer`
  piece,         // the next bytes of `transfer`
  read,          // the receiver has read all of `transfer`
  moved,         // the next frame lies elsewhere: in the stream's own ring, or in a spare one
};

struct ShmFrame {
  FrameKind kind = FrameKind::message;
  MessageKey key;             // of a message and of an announcement
  std::uint64_t bytes = 0;    // of the message; of a piece its own
  TransferName transfer = 0;  // as the process calls it for which the frame is; of an announcement, as its sender does
  TransferName answer = 0;
  std::uint64_t address = 0;  // of an announcement: where the message lies in the sender's memory; of a request: where
                              // it goes; of what has moved: 0, or 1 and the number of the ring

  [[nodiscard]] bool has_payload() const { return kind == FrameKind::message || kind == FrameKind::piece; }
};

}  // namespace espalier
