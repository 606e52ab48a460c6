// SPDX-License-Identifier: Apache-2.0
// The packers of paper 3, section 3.2.
#pragma once

#include <cstdint>

#include "halo/packing.hpp"

namespace espalier::halo {

// RoundRobin(k): the puts of a node go in their order to the first k of its engines, in turn. Nothing is looked at that
// they might share. Throws std::invalid_argument if there are not that many engines.
[[nodiscard]] Packing round_robin(const Exchange& exchange, const Engines& engines, int k);

enum class PutOrder : std::uint8_t { longest_first, shortest_first };

// BLbased(k): each put, the longest first and then by direction, goes to the lowest place that is free, and of these to
// the leftmost engine: so that no two of a node's are on one link or one sending engine at a time, no two on one
// receiving engine (which rails determine), and no more than k that are diagonal. Where engines begin one after the
// other (Engines::stagger) that time is taken as a put at the bottom of each (figure 14). Throws std::invalid_argument
// if k < 1.
[[nodiscard]] Packing bottom_left(const Exchange& exchange, const Engines& engines, int k,
                                  PutOrder order = PutOrder::longest_first);

// The same in the order that gives the shorter packing: where engines begin late the gaps are small, and the longest
// puts had better not be first (section 5).
[[nodiscard]] Packing bottom_left_in_best_order(const Exchange& exchange, const Engines& engines, int k);

// One of these, by name.
struct Packer {
  const char* family = "";
  int k = 0;
  Packing (*pack)(const Exchange&, const Engines&, int k) = nullptr;

  [[nodiscard]] std::string name() const;  // "roundrobin(2)"
  [[nodiscard]] Packing operator()(const Exchange& exchange, const Engines& engines) const {
    return pack(exchange, engines, k);
  }
};

// roundrobin and bottomleft as in the paper, which know nothing of late engines, and bottomleft_late, which is
// bottom_left_in_best_order(); of each k = 1, 2, 4.
[[nodiscard]] std::vector<Packer> all_packers();

}  // namespace espalier::halo
