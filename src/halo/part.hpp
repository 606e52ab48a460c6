// SPDX-License-Identifier: Apache-2.0
// One rank's part of an exchange, as a schedule: all that it sends and receives at once, in the order in which it is
// named. A block of the input is labelled by its place, one of the output by its place after those.
#pragma once

#include <vector>

#include "contract/contract.hpp"
#include "schedule/schedule.hpp"

namespace espalier::halo {

// A block that goes to another rank, or comes from there. What is between two ranks is told apart by the channel.
struct Edge {
  Rank peer = no_rank;
  int block = 0;
  Channel channel = 0;
  Path path = 0;
};

struct Part {
  struct Copy {
    int from = 0, to = 0;  // blocks of the input and of the output
  };
  int inputs = 0, outputs = 0;  // blocks
  std::vector<Edge> received, sent;
  std::vector<Copy> copies;  // what it gives itself

  [[nodiscard]] Held input() const { return {.count = inputs, .first = 0, .step = 1}; }
  [[nodiscard]] Held output() const { return {.count = outputs, .first = inputs, .step = 1}; }
};

[[nodiscard]] Schedule schedule_of(const Part& part);

}  // namespace espalier::halo
