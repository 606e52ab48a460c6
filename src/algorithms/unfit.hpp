// SPDX-License-Identifier: Apache-2.0
// Which algorithms would be wrong for a call.
#pragma once

#include "algorithms/algorithm.hpp"
#include "core/choice.hpp"

namespace espalier {

// Why the algorithm cannot do this; null if it can.
[[nodiscard]] const char* unfit_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape);
// The same where it runs among leaders only, if the choice says so. `choice` is not native.
[[nodiscard]] const char* unfit_for(const Choice& choice, const Problem& problem, const Shape& shape);

}  // namespace espalier
