// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "verify/checks/wait_graph.hpp"

namespace espalier::proof {

// The strongly connected component of each node, numbered from 0 (Tarjan's algorithm, without recursion).
[[nodiscard]] std::vector<std::uint32_t> strong_components(const WaitGraph& graph);

}  // namespace espalier::proof
