// SPDX-License-Identifier: Apache-2.0
// How a message gets from one process of a node to another one: as transport/shm does it, or as memory that all have
// mapped would allow.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace espalier {

enum class Handover : std::uint8_t {
  streams,  // transport/shm: frames, pieces, and reading the sender's memory through the system
  mapped,   // the receiver copies from the sender's memory itself
  lent,     // likewise, and what is only read by a reduction is reduced where it lies
};
inline constexpr std::array<std::string_view, 3> handover_names = {"streams", "mapped", "lent"};

struct HandoverSizes {
  std::size_t short_bytes = 0;  // the longest message that its sender writes into a stream at once
  std::size_t piece_bytes = 0;  // in which longer ones go
  std::size_t read_bytes = 0;   // from here on they are read in the sender's memory instead
  int pieces_under_way = 1;     // that a stream has room for
};

// Among that many processes.
[[nodiscard]] HandoverSizes handover_sizes(Handover handover, int processes);

}  // namespace espalier
