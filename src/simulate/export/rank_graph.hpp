// SPDX-License-Identifier: Apache-2.0
// One rank's part of a call as a graph of tasks, for simulators of others: each item of each operation is a task, and
// says which other tasks of its rank must have finished, or started, before it.
//
//    recv 1 ----> send 1            aligned: a segment is passed on when it is there
//      |  \          |
//    recv 2  \--> send 2            in order: item i starts after item i - 1 has (START); with a window of w it waits
//      |             |              until item i - w has finished
//
// A task waits for what the engine waits for. What already follows from the task before it is left out: so there are
// about as many edges as tasks. Nothing is kept for each task.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/progress.hpp"
#include "schedule/layout.hpp"

namespace espalier {

// Each message has a tag of its own among those from its sender to its receiver: so it does not matter in which order a
// simulator matches them.
using MessageTag = std::uint32_t;

struct Task {
  Item item;
  Operation::Kind kind = Operation::Kind::copy;
  Path path = 0;
  std::size_t bytes = 0;  // of a message, a copy or one operand
  Rank peer = no_rank;
  MessageTag tag = 0;
};

// Whether edges can say that a task has started.
enum class EdgeKinds : std::uint8_t { finished_and_started, finished };

// Of one task; other tasks by number.
struct TaskEdges {
  std::vector<std::uint64_t> after_finished, after_started;
};

class RankGraph {
 public:
  // The schedule and the partition must outlive this.
  RankGraph(const Schedule& schedule, const Partition& partition, std::size_t element_bytes, int window,
            EdgeKinds kinds);

  [[nodiscard]] std::uint64_t tasks() const { return first_task_.back(); }
  // Tasks are numbered from 0, by operation and item.
  [[nodiscard]] std::uint64_t number_of(Item item) const {
    return first_task_[item.operation] + static_cast<std::uint64_t>(item.index);
  }

  // From here on only this many of each operation are visited, the last ones: to see about how large they are.
  void visit_at_most(int items) { most_visited_ = items; }

  // All tasks, in the order of their numbers. Throws std::length_error where there are too many messages for tags.
  template <class Visit>  // void(const Task&)
  void for_each_task(Visit visit) const {
    Sequence sequence;
    for_each_item([&](Item item) { visit(task(item, sequence)); });
  }
  template <class Visit>  // void(Item)
  void for_each_item(Visit visit) const {
    for (std::uint32_t operation = 0; operation < schedule_.operations.size(); ++operation) {
      const int items = layout_.items().count(operation);
      for (int index = std::max(0, items - most_visited_); index < items; ++index) visit(Item{operation, index});
    }
  }

  void find_edges(Item item, TaskEdges& edges) const;

 private:
  class Sequence {  // how many messages went in each direction so far
   public:
    [[nodiscard]] MessageTag next(Rank peer, Channel channel, bool sends);

   private:
    std::vector<std::pair<std::uint64_t, std::uint32_t>> counts_;  // by key, sorted
  };

  [[nodiscard]] Task task(Item item, Sequence& sequence) const;
  [[nodiscard]] bool communicates(std::uint32_t operation) const {
    return schedule_.operations[operation].communicates();
  }
  // How many items of an operation are under way at once.
  [[nodiscard]] int under_way(std::uint32_t operation) const { return communicates(operation) ? layout_.window() : 1; }
  // The item of the same operation that is known to have had what it waits for; less than 0: none.
  [[nodiscard]] int known_before(Item item) const;
  void add(const Dependency& dependency, Item item, TaskEdges& edges) const;

  const Schedule& schedule_;
  Layout layout_;
  std::size_t element_bytes_;
  EdgeKinds kinds_;
  int most_visited_ = std::numeric_limits<int>::max();
  std::vector<std::uint64_t> first_task_;  // by operation, and one past the last
};

}  // namespace espalier
