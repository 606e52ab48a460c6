// SPDX-License-Identifier: Apache-2.0
// A schedule on the lattice that its ranks are on: a panel for each lane, with its messages along the links, and one
// that shows how much each link carries in each direction.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "draw/subject.hpp"
#include "topology/network.hpp"

namespace espalier {

// The network must have a box (Network::box()) of at most four dimensions, and the schedule must send along its links
// only.
// `measured`: bytes between nodes; where it is given, it takes the place of what the schedule says that links carry.
using MeasuredLoads = std::map<std::pair<int, int>, double>;
[[nodiscard]] std::string draw_lattice_view(const Subject& subject, const Network& network,
                                            const MeasuredLoads& measured = {});

}  // namespace espalier
