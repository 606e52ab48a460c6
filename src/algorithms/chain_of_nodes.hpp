// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "algorithms/candidacy.hpp"
#include "topology/network.hpp"

namespace espalier {

// Each node passes on what the one before it sends.
inline Pipeline chain_of_nodes(const Network& network) { return {.height = network.nodes() - 1}; }

}  // namespace espalier
