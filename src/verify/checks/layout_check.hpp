// SPDX-License-Identifier: Apache-2.0
// Cells are not bytes: does the layout map the verifier's cells to memory as the proof assumes?
#pragma once

#include <span>
#include <string>

#include "schedule/partition.hpp"
#include "verify/model/all_ranks.hpp"

namespace espalier::proof {

// On each rank: different cells are disjoint stretches of elements, within the input, the output or the scratch memory;
// a cell that holds the same block again lies where it lay; a merged item is just its cells, one after the other; the
// regions of an item are equally long. And both ends of each message are.
[[nodiscard]] std::string check_layout(const AllRanks& all, std::span<const Partition> partitions, int window);

// check_layout() for messages that are awkward to cut: none, fewer elements than blocks, uneven ones, large ones; and
// blocks of different sizes, if `uneven`.
[[nodiscard]] std::string check_layouts(const AllRanks& all, bool uneven);

}  // namespace espalier::proof
