// SPDX-License-Identifier: Apache-2.0
// What no algorithm can beat on a network that is known, to stand next to measured times.
#pragma once

#include "core/problem.hpp"

namespace espalier {

// What a node lacks must come over its links, all of them at once, and what others lack must leave it. Seconds, without
// any latency; 0 where the network is not known, or so large that this would take long.
[[nodiscard]] double network_bound_seconds(const Problem& problem, const Shape& shape);

}  // namespace espalier
