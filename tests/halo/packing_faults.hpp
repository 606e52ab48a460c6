// SPDX-License-Identifier: Apache-2.0
// Whether a packing is one that can be.
#pragma once

#include <optional>
#include <string>

#include "halo/packing.hpp"

namespace espalier::halo {

// What holds in a packing apart from one put at a time for each sending engine.
struct Rules {
  bool one_of_a_direction = true;         // at a time, of each node
  bool one_into_a_receiver = true;        // at a time
  std::optional<int> max_diagonals = {};  // at a time, of each node
};

// What is wrong with a packing, in words; empty: nothing.
[[nodiscard]] std::string fault_of(const Packing& packing, const Exchange& exchange, const Engines& engines,
                                   const Rules& rules);

// What holds in what bottom_left() finds.
[[nodiscard]] inline Rules rules_of_bottom_left(int k) { return {.max_diagonals = k}; }

}  // namespace espalier::halo
