// SPDX-License-Identifier: Apache-2.0
// A context that is chosen by time: what has come of it, and what this rank measured.
#pragma once

#include "mpi/job/statistics.hpp"
#include "select/story.hpp"

namespace espalier {

struct MeasuredStory {
  ContextStory story;
  MeasuredCalls measured;
};

}  // namespace espalier
