// SPDX-License-Identifier: Apache-2.0
// The fixed table: what is chosen where the network has no say, by the rules that algorithms have for it (FixedRule).
//
// It is cautious: native unless there is a clear reason. Since it depends on nothing but the problem and the number of
// ranks, the order of floating-point reductions is the same in every run.
#pragma once

#include "core/choice.hpp"

namespace espalier {

// Of several rules that fit, the one for the longest messages counts.
[[nodiscard]] Choice choice_by_rule(const Problem& problem, const Shape& shape);

}  // namespace espalier
