// SPDX-License-Identifier: Apache-2.0
// Machines and their nodes in words.
#pragma once

#include "tool/command.hpp"
#include "topology/network.hpp"

namespace espalier::tool {

// "1 node", "2 nodes"
[[nodiscard]] std::string plural(std::size_t count, const std::string& word);
// "2.5 MB/s"
[[nodiscard]] std::string rate_text(double bytes_per_second);
// "3x4"
[[nodiscard]] std::string extents_text(const Lattice& lattice);
// "torus 3x4", "mesh 4x4"
[[nodiscard]] std::string lattice_text(const Lattice& lattice);

// Of each node: where it is in the lattice; null without one.
[[nodiscard]] std::vector<Json> places_of(const Machine& machine);

// How many trees that share no link algorithms find.
[[nodiscard]] Json trees_of(const Network& network);
[[nodiscard]] std::string trees_text(const Json& trees);

}  // namespace espalier::tool
