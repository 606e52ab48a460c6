// SPDX-License-Identifier: Apache-2.0
// Algorithms as users list them, with parameters: "ring,trinaryx3,segment=64KiB".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/choice.hpp"
#include "core/problem.hpp"

namespace espalier::tool {

// One of them; what is not said is found for each message.
struct SimulatedCandidate {
  const Algorithm* algorithm = nullptr;
  std::optional<std::size_t> segment_bytes;
  std::optional<int> window, radix;

  // Fitted to the message where nothing was said.
  [[nodiscard]] Choice choice(const Problem& problem, const Shape& shape) const;
};

// Empty text: all that can be simulated there. Throws BadRequest, also for one that does not exist on the shape.
[[nodiscard]] std::vector<SimulatedCandidate> requested_candidates(Collective collective, const std::string& text,
                                                                   const Shape& shape);

}  // namespace espalier::tool
