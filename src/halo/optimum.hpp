// SPDX-License-Identifier: Apache-2.0
// The shortest packing there is, of few puts.
#pragma once

#include <cstddef>

#include "halo/packing.hpp"

namespace espalier::halo {

struct Shortest {
  Packing packing;         // the shortest that was found
  bool is_proven = false;  // there is no shorter one
};

// Of those that obey the rules of bottom_left(k), of one node whose engines are equal and begin together; by branch and
// bound over the orders in which puts get the first place that is free, for up to `max_steps` of them. Throws
// std::invalid_argument for other nodes and engines.
[[nodiscard]] Shortest shortest_packing(const Exchange& exchange, const Engines& engines, int k,
                                        std::size_t max_steps = 1'000'000);

// What no packing by those rules is shorter than: the fullest direction, all engines evenly, the diagonals over k.
[[nodiscard]] double least_length(const Exchange& exchange, const Engines& engines, int k);

}  // namespace espalier::halo
