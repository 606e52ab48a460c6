// SPDX-License-Identifier: Apache-2.0
// A context that is chosen by time: what became of it, and what this rank measured.
#pragma once

#include "policy/story.hpp"
#include "report/statistics.hpp"

namespace espalier {

struct MeasuredStory {
  ContextStory story;
  MeasuredCalls measured;
};

}  // namespace espalier
