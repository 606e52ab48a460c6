// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace espalier {

// The k-th of `count` colours, "#rrggbb": in order along a scale on which neighbours differ and all are legible on
// white.
[[nodiscard]] std::string colour_of(int k, int count);

}  // namespace espalier
