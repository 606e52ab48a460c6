// SPDX-License-Identifier: Apache-2.0
// Does an algorithm that claims to be direct hand on nothing?
#pragma once

#include <span>
#include <string>

#include "schedule/schedule.hpp"

namespace espalier::proof {

// No rank sends from, or combines, what it has received. Empty text: none does.
[[nodiscard]] std::string check_direct(std::span<const Schedule> ranks);

}  // namespace espalier::proof
