// SPDX-License-Identifier: Apache-2.0
// A tree in each site, and sites in a chain: for comparison with the multi-lane trees. (Paper 2, section 7.)
#pragma once

#include "algorithms/shapes/tree.hpp"
#include "core/problem.hpp"

namespace espalier {

// Ranks that speak to the network, one of each node, by site; the root's site first, and the root first in it. Without
// a network every rank is one, in one site.
[[nodiscard]] std::vector<std::vector<Rank>> sites_from(const Shape& shape, Rank root);

// Below which rank of its site the first rank of the next one hangs.
enum class NextSite : std::uint8_t { below_first, below_last };

// Complete trees with `arity` children per rank; the other ranks of a node hang below the one that speaks for it.
[[nodiscard]] Tree site_tree(const Shape& shape, Rank me, Rank root, int arity, NextSite next);

}  // namespace espalier
