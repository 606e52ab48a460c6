// SPDX-License-Identifier: Apache-2.0
// How long something takes among more ranks than it was played with.
#pragma once

#include <span>

namespace espalier {

// `seconds`: among a number of ranks, twice and four times as many; the result: among `times` as many as the last of
// these. Each doubling of the ranks takes longer than the one before by a factor that the three tell: 1 where time
// grows with the logarithm, 2 where it grows with the number itself, and something between.
[[nodiscard]] double grown(std::span<const double, 3> seconds, double times);

}  // namespace espalier
