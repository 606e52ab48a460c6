// SPDX-License-Identifier: Apache-2.0
// How another process is reached over each NIC: by how many connections, and with how much under way on each.
//
// A lane must have as much under way as it carries until the other end's word of it is back. A TCP connection has no
// more than its buffers hold, so over a WAN several are needed: figure 3 of the paper on multi-lane broadcasts.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "transport/fabric/wire/pieces.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

inline constexpr std::size_t max_writes_under_way = 8;  // on a connection

struct Distance {
  int links = 1;  // connections over each NIC
  // On each: enough to keep a near NIC busy, and no more, for what is under way can no longer take another lane.
  std::size_t bytes_under_way = 2 * max_piece_bytes;
};

// What a TCP connection has under way at most, of what a socket's buffer holds: the rest is the kernel's.
inline constexpr double share_under_way = .5;

// `bytes_in_flight`: bytes that a NIC carries until an answer is back; `buffer`: the most that a socket's buffer holds;
// `links`: this many connections are wanted; 0: as many as are needed; over each of `lanes` NICs.
[[nodiscard]] inline Distance far_away(double bytes_in_flight, double buffer, int links, int lanes = 1) {
  constexpr double spare = 1.5;  // connections do not keep step
  constexpr auto held = static_cast<double>(max_writes_under_way * max_piece_bytes);
  const double of_each = std::min(buffer * share_under_way, held) / spare;
  const int most = max_links / std::clamp(lanes, 1, max_lanes);
  links = links == 0 ? static_cast<int>(std::clamp(std::ceil(bytes_in_flight / of_each), 1., double(most)))
                     : std::clamp(links, 1, most);
  const double wanted = 2 * bytes_in_flight / links;  // also while some of it is waited for
  return {links, static_cast<std::size_t>(std::clamp(wanted, static_cast<double>(Distance{}.bytes_under_way), held))};
}

}  // namespace espalier
