// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/wait_graph.hpp"

#include <algorithm>

namespace espalier::proof {

namespace {

// From an operation's first item to the last one of `op`: items - 1.
Offset to_last_item(const Operation& op) { return op.merged ? Offset{0, 0, 0} : Offset{op.walked().blocks, 0, -1}; }

// The blocks of one side of a channel, one after the other.
class SideBlocks {
 public:
  explicit SideBlocks(const std::vector<Stretch>& side) : side_(side) {}

  [[nodiscard]] bool at_end() const { return at_ == side_.size(); }
  [[nodiscard]] std::uint32_t op() const { return side_[at_].op; }
  [[nodiscard]] int block() const { return side_[at_].first + block_; }  // of the operation's walk
  [[nodiscard]] int left() const { return side_[at_].blocks - block_; }
  void advance(int blocks) {
    block_ += blocks;
    if (block_ < side_[at_].blocks) return;
    block_ = 0;
    ++at_;
  }

 private:
  const std::vector<Stretch>& side_;
  std::size_t at_ = 0;
  int block_ = 0;  // of the stretch
};

}  // namespace

WaitGraph::WaitGraph(const AllRanks& all) : all_(all) {
  for (std::uint32_t op = 0; op < all.operations(); ++op) {
    for (const Dependency& dependency : all.dependencies_of(op)) add_dependency(op, dependency);
    if (!all.operation(op).communicates()) continue;
    add(done(op), posted(op), {});
    if (!all.operation(op).merged) add(posted(op), done(op), {0, 0, -1});
  }
  for (const AllRanks::ChannelEnds& channel : all.channels()) add_channel(channel);
  sort_edges();
}

void WaitGraph::add_dependency(std::uint32_t number, const Dependency& dependency) {
  const std::uint32_t target = all_.target_of(number, dependency);
  const Operation& op = all_.operation(number);
  const Operation& other = all_.operation(target);
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

void WaitGraph::add_channel(const AllRanks::ChannelEnds& channel) {
  SideBlocks sent(channel.sends), received(channel.receives);
  while (!sent.at_end() && !received.at_end()) {
    const int ahead = received.block() - sent.block();
    add(done(sent.op()), posted(received.op()), {ahead, 0, 0});
    add(done(received.op()), posted(sent.op()), {-ahead, 0, 0});
    const int blocks = std::min(sent.left(), received.left());
    sent.advance(blocks);
    received.advance(blocks);
  }
}

void WaitGraph::sort_edges() {
  first_.assign(nodes() + 1, 0);
  for (const WaitEdge& edge : edges_) ++first_[edge.from + 1];
  for (std::uint32_t node = 0; node < nodes(); ++node) first_[node + 1] += first_[node];
  std::vector<WaitEdge> sorted(edges_.size());
  std::vector<std::uint32_t> next = first_;
  for (const WaitEdge& edge : edges_) sorted[next[edge.from]++] = edge;
  edges_ = std::move(sorted);
}

}  // namespace espalier::proof
