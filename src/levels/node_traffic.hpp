// SPDX-License-Identifier: Apache-2.0
// What copies inside a node cost while others copy, and how many cache lines cross each level.
//
// A copy takes as long as its core needs, and no less than what it shares with others lets it. Each of these serves
// what comes in order: what may cross a level at once, the links into and out of a group, memories.
#pragma once

#include <cstdint>

#include "levels/node_levels.hpp"

namespace espalier {

class NodeTraffic {
 public:
  // `spilled`: the share of what ranks work on that does not fit into their caches, but comes from memory and goes
  // there.
  NodeTraffic(const NodeLevels& node, double spilled);

  // All return when a copy is over that begins now.
  [[nodiscard]] double copy(double now, double bytes, int core);
  [[nodiscard]] double reduce(double now, double bytes, int core);
  // By `core`, of what another one has written: the first line takes the level's seconds. Not faster than it could
  // read.
  // Where it goes on with what it read before, the first line is there already.
  [[nodiscard]] double fetch(double now, double bytes, int owner, int core, double most_per_second,
                             bool goes_on = false);
  // Both ends of a stream: what lies in a frame's own line costs nothing more. Before a core may write lines that the
  // other one has read, that one must give them up.
  [[nodiscard]] double write_stream(double now, double bytes, int core, int reader, bool goes_on = false);
  [[nodiscard]] double read_stream(double now, double bytes, int writer, int core, bool goes_on = false);

  // That one core has written and another one reads: a line for the frame, and what does not fit there.
  void count_frame(int writer, int reader, std::size_t payload_bytes);
  void count_lines(int writer, int reader, std::size_t bytes);

  // Lines that crossed each level.
  [[nodiscard]] const std::vector<std::uint64_t>& lines() const { return lines_; }

 private:
  // By group of its level: since or from when on it is free.
  struct SharedByLevel {
    std::vector<double> between_parts, into, out_of, memory;
  };

  [[nodiscard]] static double serve(std::vector<double>& free, int group, double now, double seconds);
  // Of one core, where some comes from memory.
  [[nodiscard]] double seconds_with_memory(double bytes, double per_second, double memory_per_second) const;
  [[nodiscard]] double use_memory(double now, double bytes, int core);

  const NodeLevels& node_;
  const double spilled_;
  std::vector<SharedByLevel> shared_;
  std::vector<std::uint64_t> lines_;
};

}  // namespace espalier
