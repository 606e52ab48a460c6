// SPDX-License-Identifier: Apache-2.0
// Which ranks of a job sit where on a machine, and what their nodes are together.
#pragma once

#include <span>

#include "tool/command.hpp"
#include "topology/network.hpp"

namespace espalier::tool {

// {"ranks", "shape", "whole_torus", "connected", "sites", "trees", "nodes": [{"name", "place", "site", "ranks"}, ...]}
[[nodiscard]] Json job_json(const Machine& machine, std::span<const int> node_of);
// The same for people: at most 80 columns wide, and no more than some tens of nodes.
[[nodiscard]] std::string job_text(const Json& job);

}  // namespace espalier::tool
