// SPDX-License-Identifier: Apache-2.0
// How a message gets from one process of a node to another one: as transport/shm does it, or as memory that all have
// mapped would allow.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace espalier {

// Each spares copies that the one before makes.
enum class Handover : std::uint8_t {
  streams,  // transport/shm: frames, pieces, and reading the sender's memory through the system
  staged,   // what lies in the application's memory its sender copies, once, to where the receiver can copy it from
  lent,     // likewise, and what is only read by a reduction is reduced where it lies
  mapped,   // likewise, and all memory is where others can read it: nothing is staged
};
inline constexpr std::array<std::string_view, 4> handover_names = {"streams", "staged", "lent", "mapped"};

struct HandoverSizes {
  std::size_t short_bytes = 0;  // the longest message that its sender writes into a stream at once
  std::size_t piece_bytes = 0;  // in which longer ones go
  std::size_t read_bytes = 0;   // from here on they are read in the sender's memory instead
  int pieces_under_way = 1;     // that a stream has room for
};

// Among that many processes.
[[nodiscard]] HandoverSizes handover_sizes(Handover handover, int processes);

}  // namespace espalier
