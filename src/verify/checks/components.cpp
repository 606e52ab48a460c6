// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/components.hpp"

#include <algorithm>

namespace espalier::proof {

namespace {

class Tarjan {
 public:
  explicit Tarjan(const WaitGraph& graph)
      : graph_(graph), component_(graph.nodes(), unknown), index_(graph.nodes(), unknown), low_(graph.nodes()) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
      if (index_[node] == unknown) explore(node);
    }
    return std::move(component_);
  }

 private:
  static constexpr std::uint32_t unknown = ~std::uint32_t{0};
  struct Frame {
    std::uint32_t node;
    std::uint32_t next_edge;
  };

  void explore(std::uint32_t start) {
    enter(start);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const auto edges = graph_.from(frame.node);
      if (frame.next_edge == edges.size()) {
        leave(frame.node);
        continue;
      }
      const std::uint32_t to = edges[frame.next_edge++].to;
      if (index_[to] == unknown) {
        enter(to);
      } else if (component_[to] == unknown) {
        low_[frame.node] = std::min(low_[frame.node], index_[to]);
      }
    }
  }

  void enter(std::uint32_t node) {
    index_[node] = low_[node] = next_index_++;
    open_.push_back(node);
    frames_.push_back({node, 0});
  }

  void leave(std::uint32_t node) {
    frames_.pop_back();
    if (!frames_.empty()) low_[frames_.back().node] = std::min(low_[frames_.back().node], low_[node]);
    if (low_[node] != index_[node]) return;
    std::uint32_t member = unknown;
    do {
      member = open_.back();
      open_.pop_back();
      component_[member] = next_component_;
    } while (member != node);
    ++next_component_;
  }

  const WaitGraph& graph_;
  std::vector<std::uint32_t> component_, index_, low_;
  std::vector<std::uint32_t> open_;  // entered, and not yet in a component
  std::vector<Frame> frames_;
  std::uint32_t next_index_ = 0, next_component_ = 0;
};

}  // namespace

std::vector<std::uint32_t> strong_components(const WaitGraph& graph) { return Tarjan(graph).run(); }

}  // namespace espalier::proof
