// SPDX-License-Identifier: Apache-2.0
// Which events of which operations wait for which: the graph that deadlock.hpp explains.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "verify/model/all_ranks.hpp"

namespace espalier::proof {

// segments * s + window * w + constant
struct Offset {
  int segments = 0;
  int window = 0;
  int constant = 0;
};

class WaitGraph {
 public:
  struct WaitEdge {
    std::uint32_t from = 0, to = 0;
    Offset offset;
  };

  explicit WaitGraph(const AllRanks& all);

  [[nodiscard]] std::uint32_t nodes() const { return 2 * all_.operations(); }
  [[nodiscard]] std::span<const WaitEdge> from(std::uint32_t node) const {
    return {edges_.data() + first_[node], edges_.data() + first_[node + 1]};
  }

  // Local work is done when it is posted: its two events are one node.
  [[nodiscard]] std::uint32_t posted(std::uint32_t op) const { return 2 * op; }
  [[nodiscard]] std::uint32_t done(std::uint32_t op) const {
    return all_.operation(op).communicates() ? 2 * op + 1 : 2 * op;
  }
  [[nodiscard]] static std::uint32_t operation_of(std::uint32_t node) { return node / 2; }
  [[nodiscard]] static bool is_done(std::uint32_t node) { return node % 2 == 1; }

 private:
  void add(std::uint32_t from, std::uint32_t to, Offset offset) { edges_.push_back({from, to, offset}); }
  void add_dependency(std::uint32_t op, const Dependency& dependency);
  void add_channel(const AllRanks::ChannelEnds& channel);
  void sort_edges();

  const AllRanks& all_;
  std::vector<WaitEdge> edges_;
  std::vector<std::uint32_t> first_;  // by node
};

}  // namespace espalier::proof
