// SPDX-License-Identifier: Apache-2.0
// Puts packed onto engines: by which of them, and when, if each takes as long as alone.
#pragma once

#include <vector>

#include "halo/exchange.hpp"

namespace espalier::halo {

struct PlacedPut {
  int source_engine = 0, target_engine = 0;
  double begins = 0, ends = 0;

  bool operator==(const PlacedPut&) const = default;
};

struct Packing {
  std::vector<PlacedPut> placements;  // of each put

  // Until the last put ends.
  [[nodiscard]] double length() const;
};

// The puts of each engine of a node that sends, in the order in which they begin.
[[nodiscard]] std::vector<std::vector<int>> queues_of(const Packing& packing, const Exchange& exchange,
                                                      const Engines& engines, int node);

}  // namespace espalier::halo
