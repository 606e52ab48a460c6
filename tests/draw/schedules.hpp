// SPDX-License-Identifier: Apache-2.0
// The schedules of all ranks, as drawings take them.
#pragma once

#include "draw/subject.hpp"
#include "verify/sweep.hpp"

namespace espalier {

struct Schedules {
  Schedules(Collective collective, std::string_view name, Rank size, int segments = 1, int window = 4, Rank root = 0)
      : algorithm(find_algorithm(collective, name)),
        ranks(SweepCase{.algorithm = algorithm,
                        .problem = {.collective = collective, .size = size, .root = root},
                        .pieces = segments}
                  .build()),
        subject{algorithm, root, blocks_are_segments(*algorithm) ? 1 : segments, window, ranks} {}

  const Algorithm* algorithm;
  std::vector<Schedule> ranks;
  Subject subject;
};

}  // namespace espalier
