// SPDX-License-Identifier: Apache-2.0
// Puts packed onto engines: by which of them, and when, if each takes as long as alone.
#pragma once

#include <optional>
#include <string>
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

// What holds in a packing besides one put at a time for each sending engine.
struct Rules {
  bool one_of_a_direction = true;         // at a time, of each node
  bool one_into_a_receiver = true;        // at a time
  std::optional<int> max_diagonals = {};  // at a time, of each node
};

// What is wrong with a packing, in words; empty: nothing.
[[nodiscard]] std::string fault_of(const Packing& packing, const Exchange& exchange, const Engines& engines,
                                   const Rules& rules);

// The puts of each engine of a node that sends, in the order in which they begin.
[[nodiscard]] std::vector<std::vector<int>> queues_of(const Packing& packing, const Exchange& exchange,
                                                      const Engines& engines, int node);

}  // namespace espalier::halo
