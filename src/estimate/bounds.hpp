// SPDX-License-Identifier: Apache-2.0
// What a choice takes at least, without simulating it: so that only those are simulated among which it is in doubt.
#pragma once

#include "core/choice.hpp"

namespace espalier {

// No link, and no processor, is faster than this: what `rank` sends, receives and computes keeps the links en route
// and itself busy for at least so long. Seconds; never more than running_time(). Otherwise as for estimated_seconds().
[[nodiscard]] double min_seconds(const Choice& choice, const Problem& problem, const Shape& shape, Rank rank);

}  // namespace espalier
