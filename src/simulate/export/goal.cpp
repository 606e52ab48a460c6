// SPDX-License-Identifier: Apache-2.0
#include "simulate/export/goal.hpp"

#include <cmath>

namespace espalier {

namespace {

// One line after the other, in one buffer.
class GoalLine {
 public:
  GoalLine& operator<<(std::string_view text) {
    text_ += text;
    return *this;
  }
  GoalLine& operator<<(std::uint64_t number) {
    text_ += std::to_string(number);
    return *this;
  }
  void end(TextSink& sink) {
    text_ += '\n';
    sink.write(text_);
    text_.clear();
  }

 private:
  std::string text_;
};

std::uint64_t nic_number(Path path) { return names_one_nic(path) ? static_cast<std::uint64_t>(nic_of(path)) : 0; }

// The simulators charge a message for its bytes but one: so one without bytes has one.
void write_message(const Task& task, GoalLine& line) {
  const bool sends = task.kind == Operation::Kind::send;
  line << (sends ? "send " : "recv ") << std::max<std::uint64_t>(task.bytes, 1) << (sends ? "b to " : "b from ")
       << static_cast<std::uint64_t>(task.peer) << " tag " << task.tag << " cpu 0 nic " << nic_number(task.path);
}

}  // namespace

void write_goal_head(Rank ranks, TextSink& sink) { sink.write("num_ranks " + std::to_string(ranks) + "\n"); }

void write_goal_rank(Rank rank, const RankGraph& graph, double arithmetic_bytes_per_second, TextSink& sink) {
  GoalLine line;
  line << "rank " << static_cast<std::uint64_t>(rank) << " {";
  line.end(sink);
  graph.for_each_task([&](const Task& task) {
    line << "l" << graph.number_of(task.item) << ": ";
    if (task.peer != no_rank) {
      write_message(task, line);
    } else {
      // As in our own simulations copies take no time.
      const bool adds = task.kind == Operation::Kind::reduce;
      const double seconds = adds ? static_cast<double>(task.bytes) / arithmetic_bytes_per_second : 0;
      line << "calc " << static_cast<std::uint64_t>(std::llround(seconds * 1e9)) << " cpu 0";
    }
    line.end(sink);
  });
  TaskEdges edges;
  graph.for_each_item([&](Item item) {
    graph.find_edges(item, edges);
    const std::uint64_t number = graph.number_of(item);
    for (const std::uint64_t other : edges.after_finished) (line << "l" << number << " requires l" << other).end(sink);
    for (const std::uint64_t other : edges.after_started) (line << "l" << number << " irequires l" << other).end(sink);
  });
  sink.write("}\n");
}

}  // namespace espalier
