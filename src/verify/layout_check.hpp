// SPDX-License-Identifier: Apache-2.0
// Cells are not bytes: does the layout map the verifier's cells to memory as the proof assumes?
#pragma once

#include <string>

#include "verify/network.hpp"

namespace espalier::proof {

struct Message {
  std::size_t elements = 0;
  int segments = 1;
  int window = 1;
  std::size_t granule = 1;
};

// On each rank: different cells are disjoint stretches of elements, within the input, the output or the scratch memory;
// a cell that holds the same block again lies where it lay; a merged item is just its cells, one after the other; the
// regions of an item are equally long. And both ends of each message are.
[[nodiscard]] std::string check_layout(const Network& network, const Message& message);

// check_layout() for messages that are awkward to cut: none, fewer elements than blocks, uneven ones, large ones.
[[nodiscard]] std::string check_layouts(const Network& network);

}  // namespace espalier::proof
