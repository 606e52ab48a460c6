// SPDX-License-Identifier: Apache-2.0
// A packing judged by its time in the model, rather than by what it shares: two puts on one link can be faster than one
// after the other. (Paper 3, section 4.3.)
#pragma once

#include <cstddef>

#include "halo/running_time.hpp"

namespace espalier::halo {

// The fastest of what all packers find, and then what moving single puts to other engines and other turns makes of it,
// as long as that gains, or until the work of 2,000 runs of the model with 64 puts is done (half a second).
// Deterministic.
[[nodiscard]] Packing fastest_packing(const Exchange& exchange, const Engines& engines, const RateLimits& limits);

}  // namespace espalier::halo
