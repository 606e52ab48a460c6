// SPDX-License-Identifier: Apache-2.0
// How long a pipeline through all nodes is: what algorithms say of themselves that go along a chain.
#pragma once

#include "algorithms/candidacy.hpp"
#include "topology/network.hpp"

namespace espalier {

// Each node passes on what the one before it sends.
inline Pipeline chain_of_nodes(const Network& network) { return {.height = network.nodes() - 1}; }

}  // namespace espalier
