// SPDX-License-Identifier: Apache-2.0
// A node as caches see it: groups of cores within groups, and what it costs to cross each level.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace espalier {

// One level. Its groups are alike: a CCX, a socket, the node itself. Two cores meet in the innermost group that holds
// both, and what one has written crosses that level when the other reads it.
struct NodeLevel {
  std::string name;
  int holds = 1;                       // groups of the level below; of the innermost level: cores
  double seconds = 0;                  // until a core sees what another one has written
  double copy_bytes_per_second = 0;    // of one core that reads what another one has written, in one stretch
  double stream_bytes_per_second = 0;  // of each end of a stream, in lines that go to and fro between two cores
  // Of all cores together; 0: it is no limit.
  double shared_bytes_per_second = 0;  // between the parts of one group
  double in_bytes_per_second = 0;      // into one group, from others
  double out_bytes_per_second = 0;     // out of one group, to others
  double memory_bytes_per_second = 0;  // of the memory that belongs to one group
  double cache_bytes = 0;              // that one group's cores share; 0: none of its own
};

// What a core does without others.
struct NodeCore {
  double copy_bytes_per_second = 0;    // from its caches
  double reduce_bytes_per_second = 0;  // bytes of the result
  double memory_copy_per_second = 0;   // bytes, from memory and to memory
  double memory_reduce_per_second = 0;
  double call_seconds = 0;           // of a collective, apart from its messages
  double message_seconds = 0;        // what one end of a message takes in software
  double read_seconds = 0;           // to begin reading the memory of another process through the system
  double read_bytes_per_second = 0;  // through the system, at most
};

class NodeLevels {
 public:
  NodeLevels(std::string name, const NodeCore& core, std::vector<NodeLevel> levels);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const NodeCore& core() const { return core_; }
  [[nodiscard]] const std::vector<NodeLevel>& levels() const { return levels_; }  // from inside to outside
  [[nodiscard]] int cores() const { return cores_in_.back(); }

  // Cores in one group of a level, and groups of it on the node.
  [[nodiscard]] int cores_in(std::size_t level) const { return cores_in_[level]; }
  [[nodiscard]] int groups(std::size_t level) const { return cores() / cores_in_[level]; }
  [[nodiscard]] int group_of(std::size_t level, int core) const { return core / cores_in_[level]; }
  // At which two cores meet.
  [[nodiscard]] std::size_t level_between(int one, int other) const;

 private:
  std::string name_;
  NodeCore core_;
  std::vector<NodeLevel> levels_;
  std::vector<int> cores_in_;  // by level
};

// On which core each rank runs.
[[nodiscard]] std::vector<int> placed_in_order(int ranks);
// One rank to each of the outermost groups in turn, and within these to each of theirs.
[[nodiscard]] std::vector<int> placed_in_turn(const NodeLevels& node, int ranks);

}  // namespace espalier
