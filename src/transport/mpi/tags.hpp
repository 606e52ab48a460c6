// SPDX-License-Identifier: Apache-2.0
// How the tags of the one communicator that carries all our traffic are distributed. Each communicator of the
// application has a number (mpi/communicators/agreement.hpp), and so a block of tags; in it each call has tags of its
// own, one per channel. Calls are distinguished, because one that failed on a rank may leave messages behind that
// nobody there received: a later call must not take them for its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/types.hpp"

namespace espalier {

struct TagLayout {
  int ids = 0;    // communicators that can have a block at once
  int calls = 1;  // calls of one communicator that are distinguished: a power of two; then it needs new tags

  // A channel each, and two more: the first of the first call is for notices (call_watch.hpp), that of the third for
  // notes (notes.hpp); the second is for what the ranks share before the call.
  static constexpr int per_call = max_channels + 2;

  // For tags from 0 to `highest_tag`; equal on all ranks, as MPI_TAG_UB is.
  [[nodiscard]] static TagLayout within(std::int64_t highest_tag, int max_ids) {
    constexpr std::int64_t min_calls = 8;
    constexpr std::int64_t max_calls = 4096;
    const std::int64_t blocks = (highest_tag + 1) / per_call;
    const auto calls = std::bit_floor(static_cast<std::uint64_t>(std::clamp(blocks / max_ids, min_calls, max_calls)));
    const std::int64_t ids = std::min<std::int64_t>(max_ids, blocks / static_cast<std::int64_t>(calls));
    return {static_cast<int>(ids), static_cast<int>(calls)};
  }

  [[nodiscard]] int first_tag(int id) const { return id * calls * per_call; }
  // From a communicator's first tag to those of its call of that number.
  [[nodiscard]] int offset(std::uint64_t call) const {
    return static_cast<int>(call & static_cast<std::uint64_t>(calls - 1)) * per_call;
  }
  // The call of that tag, counted from a communicator's first tag, or one that is a multiple of `calls` away from
  // it.
  [[nodiscard]] static std::uint64_t call_of(int from_first_tag) {
    return static_cast<std::uint64_t>(from_first_tag / per_call);
  }
  [[nodiscard]] static int channel_of(int from_first_tag) { return from_first_tag % per_call; }
  // Whether it is one of the communicator's block.
  [[nodiscard]] bool are_ours(int from_first_tag) const {
    return from_first_tag >= 0 && from_first_tag < calls * per_call;
  }

  static constexpr int shared = max_channels + 1;  // a channel
  static constexpr int notices = max_channels;     // from the first tag
  static constexpr int notes = 2 * per_call + max_channels;
  // No message has it.
  static constexpr int never_used = per_call + max_channels;
};

}  // namespace espalier
