// SPDX-License-Identifier: Apache-2.0
// One rank's part of an exchange, as a schedule. A block of the input is labelled by its place, one of the output by
// its place after those, and one that only passes through here by its number after these.
#pragma once

#include <vector>

#include "contract/contract.hpp"
#include "schedule/schedule.hpp"

namespace espalier::halo {

// Blocks that go to another rank, or come from there. What is between two ranks is distinguished by the channel.
struct Edge {
  Rank peer = no_rank;
  std::vector<int> blocks;  // labels; several are one message
  Channel channel = 0;
  Path path = 0;
};

struct Part {
  struct BlockCopy {
    int from = 0, to = 0;  // labels
  };
  int inputs = 0, outputs = 0;             // blocks
  std::vector<std::size_t> passing_bytes;  // of each that passes through
  std::vector<Edge> received;              // all at once; several blocks of one message pass through
  std::vector<Edge> sent;                  // in that order: one waits for what it passes on, and all after it for that
  std::vector<BlockCopy> copies;           // to the output

  [[nodiscard]] Held input() const { return {.count = inputs, .first = 0, .step = 1}; }
  [[nodiscard]] Held output() const { return {.count = outputs, .first = inputs, .step = 1}; }
  [[nodiscard]] Held passing() const {
    return {.count = static_cast<int>(passing_bytes.size()), .first = inputs + outputs, .step = 1};
  }
  // Labels.
  [[nodiscard]] int input_at(int place) const { return input().label_at(place); }
  [[nodiscard]] int output_at(int place) const { return output().label_at(place); }
  [[nodiscard]] int add_passing(std::size_t bytes) {
    passing_bytes.push_back(bytes);
    return passing().label_at(passing().count - 1);
  }
};

[[nodiscard]] Schedule schedule_of(const Part& part);

}  // namespace espalier::halo
