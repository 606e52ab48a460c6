// SPDX-License-Identifier: Apache-2.0
// Any algorithm over the nodes rather than over the ranks: some ranks of each node lead it, each with a share of the
// message, and speak to those who lead the same share elsewhere.
//
//     node 0: a b | node 1: c d        within the nodes   between them        within the nodes
//     a and c lead the first half,     a <- b, b <- a     a <-> c, b <-> d    a -> b, b -> a
//     b and d the second one           c <- d, d <- c                         c -> d, d -> c
//
// J. L. Traeff, S. Hunold: Decomposing MPI collectives for exploiting multi-lane communication, 2020; several leaders:
// M. Bayatpour and others: Scalable reduction collectives with data partitioning-based multi-leader design, 2017.
#pragma once

#include "algorithms/algorithm.hpp"

namespace espalier {

// As many as are asked for, but no more than the node with the fewest ranks has.
[[nodiscard]] int leaders_among(int wanted, const RanksByNode& nodes);

// Why there can be no leaders in such a call; null: there can. Beyond what concerns the algorithm.
// Where there is a block from each rank to each, a leader lists those of all ranks of its node.
inline constexpr Rank most_ranks_by_leaders = 1024;

[[nodiscard]] const char* unfit_for_leaders(const Problem& problem, const Shape& shape);

// What each of those leaders has of the message; of blocks that are the caller's, all.
[[nodiscard]] Problem share_of(const Problem& problem, int leaders);

// The nodes as ranks, as those who lead a share see each other. The shape has nodes.
[[nodiscard]] Shape shape_of_nodes(const Shape& shape);

// `request.leaders` of each node run the algorithm.
[[nodiscard]] Schedule build_over_nodes(const Algorithm& algorithm, const Request& request);

}  // namespace espalier
