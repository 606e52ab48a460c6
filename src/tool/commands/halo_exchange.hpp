// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace espalier::tool {

// Prints how long the exchange that a JSON file describes takes by each packer of neighbourhood collectives, in the
// model by which one is chosen:
//
//     {"nodes": 8, "nics": [2.5e6, 2.5e6], "grid": [2, 4], "messages": [[0, 1, 224256], ...]}
//
// NICs of each node in bytes a second; the grid, which may be missing, says which messages are diagonal; messages are
// from node, to node and bytes, in the order in which nodes name them. Throws BadRequest.
void show_exchange(const std::string& file, bool as_json);

}  // namespace espalier::tool
