// SPDX-License-Identifier: Apache-2.0
// Is each rank's schedule well formed on its own? All other checks rely on it.
#pragma once

#include <span>
#include <string>

#include "schedule/schedule.hpp"
#include "verify/model/case.hpp"

namespace espalier::proof {

// Numbers in range; each kind of operation has just the regions that it needs; regions of one operation agree in their
// labels; blocks of input and output lie at their own places; merged items are one stretch of memory; the input is
// never written, nor an output that the rank does not have. Empty text: nothing is wrong.
[[nodiscard]] std::string check_structure(const Case& problem, std::span<const Schedule> ranks);

}  // namespace espalier::proof
