// SPDX-License-Identifier: Apache-2.0
#include "verify/wait_graph.hpp"

#include <algorithm>

namespace espalier::proof {

namespace {

// From an operation's first item to the last one of `op`: items - 1.
Offset to_last_item(const Operation& op) { return op.merged ? Offset{0, 0, 0} : Offset{op.walked().blocks, 0, -1}; }

// Where the messages of one operation begin on its channel, and where they end: so many blocks in segments, so many
// merged messages.
struct Stretch {
  std::uint32_t op = 0;
  int first_unit = 0, end_unit = 0;
  int blocks = 0, merged = 0;  // before the first unit
};

std::vector<Stretch> stretches(const Network& network, const std::vector<std::uint32_t>& side) {
  std::vector<Stretch> result;
  Stretch next;
  for (const std::uint32_t i : side) {
    const Operation& op = network.operation(i);
    next.op = i;
    next.end_unit = next.first_unit + (op.merged ? 1 : op.walked().blocks);
    result.push_back(next);
    next.first_unit = next.end_unit;
    (op.merged ? next.merged : next.blocks) += op.merged ? 1 : op.walked().blocks;
  }
  return result;
}

}  // namespace

WaitGraph::WaitGraph(const Network& network) : network_(network) {
  for (std::uint32_t op = 0; op < network.operations(); ++op) {
    for (const Dependency& dependency : network.dependencies_of(op)) add_dependency(op, dependency);
    if (!network.operation(op).communicates()) continue;
    add(done(op), posted(op), {});
    if (!network.operation(op).merged) add(posted(op), done(op), {0, 0, -1});
  }
  for (const Network::Channel& channel : network.channels()) add_channel(channel);
  sort_edges();
}

void WaitGraph::add_dependency(std::uint32_t number, const Dependency& dependency) {
  const std::uint32_t target = network_.target_of(number, dependency);
  const Operation& op = network_.operation(number);
  const Operation& other = network_.operation(target);
  const int shift = dependency.shift;
  switch (dependency.kind) {
    case Dependency::Kind::posted: return add(posted(number), posted(target), to_last_item(other));
    case Dependency::Kind::whole: return add(posted(number), done(target), to_last_item(other));
    case Dependency::Kind::lagged:
      if (!op.merged) add(posted(number), done(target), {0, -1, 0});
      return;
    case Dependency::Kind::in_step:
      if (!op.merged) add(posted(number), posted(target), {0, 0, -1});
      return;
    case Dependency::Kind::aligned: break;
  }
  const bool never_binds = op.merged ? shift < 0 : shift <= -op.walked().blocks;
  if (never_binds) return;
  const bool asks_for_all = shift >= (other.merged ? 0 : other.walked().blocks);
  add(posted(number), done(target), asks_for_all ? to_last_item(other) : Offset{shift, 0, 0});
}

void WaitGraph::add_channel(const Network::Channel& channel) {
  const std::vector<Stretch> sends = stretches(network_, channel.sends);
  const std::vector<Stretch> receives = stretches(network_, channel.receives);
  std::size_t s = 0, r = 0;
  while (s < sends.size() && r < receives.size()) {
    const Stretch &send = sends[s], &receive = receives[r];
    const int blocks = send.blocks - receive.blocks, merged = send.merged - receive.merged;
    add(done(send.op), posted(receive.op), {blocks, 0, merged});
    add(done(receive.op), posted(send.op), {-blocks, 0, -merged});
    const int end = std::min(send.end_unit, receive.end_unit);
    s += send.end_unit == end;
    r += receive.end_unit == end;
  }
}

void WaitGraph::sort_edges() {
  first_.assign(nodes() + 1, 0);
  for (const Edge& edge : edges_) ++first_[edge.from + 1];
  for (std::uint32_t node = 0; node < nodes(); ++node) first_[node + 1] += first_[node];
  std::vector<Edge> sorted(edges_.size());
  std::vector<std::uint32_t> next = first_;
  for (const Edge& edge : edges_) sorted[next[edge.from]++] = edge;
  edges_ = std::move(sorted);
}

}  // namespace espalier::proof
