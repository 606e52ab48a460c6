// SPDX-License-Identifier: Apache-2.0
// How long an exchange takes by a model: engines carry out their puts one after the other, and what puts share they
// share evenly.
#pragma once

#include <limits>

#include "halo/packing.hpp"

namespace espalier::halo {

// Apart from the rates of engines. Bytes in a unit of time.
struct RateLimits {
  static constexpr double none = std::numeric_limits<double>::infinity();

  double link = none;
  double node = none;   // of all its engines together, in each direction
  double overhead = 0;  // of an exchange, however little it moves: time
};

// The same puts on the same engines in the same order, at the times at which they then begin and end. Rates are the
// fairest that all limits allow (max-min).
[[nodiscard]] Packing as_run(const Packing& packing, const Exchange& exchange, const Engines& engines,
                             const RateLimits& limits);

// Until the last put has arrived, and the overhead.
[[nodiscard]] double running_time(const Packing& packing, const Exchange& exchange, const Engines& engines,
                                  const RateLimits& limits);

// The K computer, as the figures of paper 3 have it: an engine by itself moves 3.9 GB/s, two that share a link 2.4
// each, four on four links 3.5 each; in seconds.
[[nodiscard]] Engines engines_of_k_computer();
[[nodiscard]] RateLimits limits_of_k_computer();

}  // namespace espalier::halo
