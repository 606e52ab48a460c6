// SPDX-License-Identifier: Apache-2.0
#include "simulate/export/rank_graph.hpp"

#include <algorithm>
#include <stdexcept>

namespace espalier {

namespace {

// A tag is the channel and, above it, which message of it this is. Simulators keep tags in 31 bits.
constexpr int channel_bits = 8;
constexpr std::uint32_t most_messages_of_a_channel = 1U << (31 - channel_bits);

}  // namespace

RankGraph::RankGraph(const Schedule& schedule, const Partition& partition, std::size_t element_bytes, int window,
                     EdgeKinds kinds)
    : schedule_(schedule), layout_(schedule, partition, window), element_bytes_(element_bytes), kinds_(kinds) {
  std::uint64_t tasks = 0;
  for (std::uint32_t operation = 0; operation < schedule.operations.size(); ++operation) {
    first_task_.push_back(tasks);
    tasks += static_cast<std::uint64_t>(layout_.items().count(operation));
  }
  first_task_.push_back(tasks);
}

MessageTag RankGraph::Sequence::next(Rank peer, Channel channel, bool sends) {
  const std::uint64_t key = static_cast<std::uint64_t>(peer) << 9 | std::uint64_t{channel} << 1 | (sends ? 1 : 0);
  const auto place = std::ranges::lower_bound(counts_, key, {}, &std::pair<std::uint64_t, std::uint32_t>::first);
  const auto count = place != counts_.end() && place->first == key ? place : counts_.insert(place, {key, 0});
  if (count->second == most_messages_of_a_channel)
    throw std::length_error("more than 8388608 messages from one rank to another: larger segments are needed");
  return count->second++ << channel_bits | channel;
}

Task RankGraph::task(Item item, Sequence& sequence) const {
  const Operation& operation = schedule_.operations[item.operation];
  const std::size_t elements = layout_.extent(item.operation, operation.walked(), item.index).length;
  Task task{.item = item, .kind = operation.kind, .path = operation.path, .bytes = elements * element_bytes_};
  if (!operation.communicates()) return task;
  task.peer = operation.peer(layout_.block_of(item.operation, item.index));
  task.tag = sequence.next(task.peer, operation.channel, operation.kind == Operation::Kind::send);
  return task;
}

// Local work is done one after the other. Messages start one after the other; where edges cannot say so, each waits for
// the one whose place in the window it takes.
int RankGraph::known_before(Item item) const {
  const bool follows_start = kinds_ == EdgeKinds::finished_and_started;
  return item.index - (follows_start ? 1 : under_way(item.operation));
}

void RankGraph::find_edges(Item item, TaskEdges& edges) const {
  edges.after_finished.clear();
  edges.after_started.clear();
  const int place = item.index - under_way(item.operation);
  if (place >= 0) edges.after_finished.push_back(number_of({item.operation, place}));
  const bool says_start = kinds_ == EdgeKinds::finished_and_started && communicates(item.operation);
  if (says_start && item.index > 0) edges.after_started.push_back(number_of({item.operation, item.index - 1}));
  for (const Dependency& dependency : schedule_.dependencies_of(schedule_.operations[item.operation])) {
    add(dependency, item, edges);
  }
}

// The engine asks for a number of items from the first one on. What the known item asked for is there; and of what is
// left the last ones, which are as many as can be under way at once, have the others behind them.
void RankGraph::add(const Dependency& dependency, Item item, TaskEdges& edges) const {
  const auto needed = [&](int index) {
    return layout_.items().needed(dependency, item.operation, index, layout_.window());
  };
  const int known = known_before(item);
  const int there = known < 0 ? 0 : needed(known), all = needed(item.index);
  if (dependency.is_of_posting()) {
    if (kinds_ == EdgeKinds::finished_and_started && all > there)
      edges.after_started.push_back(number_of({dependency.operation, all - 1}));
    return;
  }
  for (int index = std::max(there, all - under_way(dependency.operation)); index < all; ++index) {
    edges.after_finished.push_back(number_of({dependency.operation, index}));
  }
}

}  // namespace espalier
