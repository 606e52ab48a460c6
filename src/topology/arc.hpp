// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace espalier {

// One direction of a link between two nodes that are neighbours.
struct Arc {
  int from = 0;
  int to = 0;
  double bytes_per_second = 0;
  friend bool operator==(const Arc&, const Arc&) = default;
};

}  // namespace espalier
