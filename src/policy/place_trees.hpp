// SPDX-License-Identifier: Apache-2.0
// An algorithm's tree as all ranks together see it (arrival/).
#pragma once

#include "algorithms/algorithm.hpp"
#include "arrival/wave/place_tree.hpp"
#include "core/problem.hpp"

namespace espalier {

// Of an algorithm that has one (Algorithm::tree). Where the network is known, ranks exchange places within their node
// alone, or where each has a node of its own within their site or leaf: no message goes farther than it did.
[[nodiscard]] arrival::PlaceTree place_tree_of(const Algorithm& algorithm, const Shape& shape, Rank root, int radix);

}  // namespace espalier
