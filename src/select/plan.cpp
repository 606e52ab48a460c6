// SPDX-License-Identifier: Apache-2.0
#include "select/plan.hpp"

#include <algorithm>

#include "schedule/layout.hpp"

namespace espalier {

namespace {

// Blocks and segments begin at cache lines, so that two lanes or a reduction and a receive do not share one.
constexpr std::size_t cache_line_bytes = 64;

// Keeps item numbers far from overflow when somebody asks for tiny segments of a huge message.
constexpr int most_items = 1 << 24;

}  // namespace

Tuning tuning_for(const Choice& choice, const Problem& problem) {
  const int pieces = segments_for(problem.bytes(), 1, choice.parameters.segment_bytes);
  return {.pieces = std::min(pieces, most_items), .radix = choice.parameters.radix};
}

Binding binding_for(const Choice& choice, const Problem& problem, const Schedule& schedule) {
  const int segments = choice.algorithm->cuts_by_length
                           ? 1
                           : segments_for(problem.bytes(), schedule.blocks, choice.parameters.segment_bytes);
  const bool divides = problem.element_bytes > 0 && cache_line_bytes % problem.element_bytes == 0;
  return {
      .segments = std::clamp(segments, 1, std::max(1, most_items / schedule.blocks)),
      .window = choice.parameters.window,
      .granule = divides ? cache_line_bytes / problem.element_bytes : 1,
  };
}

}  // namespace espalier
