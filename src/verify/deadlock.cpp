// SPDX-License-Identifier: Apache-2.0
#include "verify/deadlock.hpp"

#include <bit>

#include "verify/components.hpp"
#include "verify/describe.hpp"
#include "verify/wait_graph.hpp"

namespace espalier::proof {

namespace {

using Edge = WaitGraph::Edge;

// Searches strongly connected components for a circle whose weights add up to more than 0, by relaxation (Bellman-Ford
// for heaviest paths). The edges along which nodes were improved last close to a circle exactly when there is such one.
class CircleSearch {
 public:
  explicit CircleSearch(std::uint32_t nodes) : heaviest_(nodes), improved_by_(nodes), visited_by_(nodes) {}

  // `edges`: all those inside one component. Returns a circle, or nothing if there is none.
  template <class Weight>
  std::vector<const Edge*> search(const std::vector<const Edge*>& edges, std::uint32_t nodes, const Weight& weight) {
    for (const Edge* edge : edges) {
      heaviest_[edge->from] = 0;
      improved_by_[edge->from] = nullptr;
    }
    for (std::uint32_t round = 1; relax(edges, weight); ++round) {
      const bool look = (round > first_look && std::has_single_bit(round)) || round > nodes;
      if (!look) continue;
      std::vector<const Edge*> circle = find_circle(edges);
      if (!circle.empty()) return circle;
    }
    return {};
  }

 private:
  static constexpr std::uint32_t first_look = 4;  // most searches end within a few rounds

  template <class Weight>
  bool relax(const std::vector<const Edge*>& edges, const Weight& weight) {
    bool improved = false;
    for (const Edge* edge : edges) {
      const std::int64_t through = heaviest_[edge->to] + weight(edge->offset);
      if (through <= heaviest_[edge->from]) continue;
      heaviest_[edge->from] = through;
      improved_by_[edge->from] = edge;
      improved = true;
    }
    return improved;
  }

  std::vector<const Edge*> find_circle(const std::vector<const Edge*>& edges) {
    for (const Edge* edge : edges) visited_by_[edge->from] = nullptr;
    for (const Edge* start : edges) {
      std::uint32_t node = start->from;
      while (visited_by_[node] == nullptr && improved_by_[node] != nullptr) {
        visited_by_[node] = start;
        node = improved_by_[node]->to;
      }
      if (improved_by_[node] != nullptr && visited_by_[node] == start) return circle_through(node);
    }
    return {};
  }

  [[nodiscard]] std::vector<const Edge*> circle_through(std::uint32_t first) const {
    std::vector<const Edge*> circle;
    std::uint32_t node = first;
    do {
      circle.push_back(improved_by_[node]);
      node = improved_by_[node]->to;
    } while (node != first);
    return circle;
  }

  // By node. Only those of the component at hand mean anything.
  std::vector<std::int64_t> heaviest_;
  std::vector<const Edge*> improved_by_;
  std::vector<const Edge*> visited_by_;  // by the walk that began at this edge
};

class DeadlockCheck {
 public:
  explicit DeadlockCheck(const Network& network) : network_(network), graph_(network), search_(graph_.nodes()) {}

  std::string check() {
    const std::vector<std::uint32_t> component = strong_components(graph_);
    std::vector<std::vector<const Edge*>> inside(graph_.nodes());
    std::vector<std::uint32_t> nodes(graph_.nodes(), 0);
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
      ++nodes[component[node]];
      for (const Edge& edge : graph_.from(node)) {
        if (component[edge.to] == component[node]) inside[component[node]].push_back(&edge);
      }
    }
    for (std::uint32_t k = 0; k < graph_.nodes(); ++k) {
      if (inside[k].empty()) continue;
      std::string wrong = check_component(inside[k], nodes[k]);
      if (!wrong.empty()) return wrong;
    }
    return {};
  }

 private:
  std::string check_component(const std::vector<const Edge*>& edges, std::uint32_t nodes) {
    const auto growth = [](const Offset& offset) { return std::int64_t{offset.segments}; };
    std::string wrong = check_circles(edges, nodes, growth, "deadlock for many segments: ");
    if (!wrong.empty()) return wrong;
    // Integers, and a circle has at most `nodes` edges: "at least 0" becomes "more than 0".
    const std::int64_t scale = std::int64_t{nodes} + 1;
    const auto smallest = [scale](const Offset& offset) {
      return (std::int64_t{offset.segments} + offset.window + offset.constant) * scale + 1;
    };
    return check_circles(edges, nodes, smallest, "deadlock: ");
  }

  template <class Weight>
  std::string check_circles(const std::vector<const Edge*>& edges, std::uint32_t nodes, const Weight& weight,
                            const char* heading) {
    bool may_grow = false;
    for (const Edge* edge : edges) may_grow = may_grow || weight(edge->offset) > 0;
    if (!may_grow) return {};
    const auto circle = search_.search(edges, nodes, weight);
    return circle.empty() ? "" : heading + text_of(circle);
  }

  [[nodiscard]] std::string text_of(const std::vector<const Edge*>& circle) const {
    constexpr std::size_t most_named = 8;
    std::string text;
    Offset sum;
    for (std::size_t k = 0; k < circle.size(); ++k) {
      const Edge* edge = circle[k];
      if (k == most_named) text += "... waits for ";
      if (k < most_named)
        text += describe(network_, WaitGraph::operation_of(edge->from)) +
                (WaitGraph::is_done(edge->from) ? " done, " : " posted, ") + "waits for ";
      sum.segments += edge->offset.segments;
      sum.window += edge->offset.window;
      sum.constant += edge->offset.constant;
    }
    return text + "the first again, " + std::to_string(sum.segments) + " s + " + std::to_string(sum.window) + " w + " +
           std::to_string(sum.constant) + " items ahead (s segments, window w)";
  }

  const Network& network_;
  WaitGraph graph_;
  CircleSearch search_;
};

}  // namespace

std::string check_deadlock(const Network& network) { return DeadlockCheck(network).check(); }

}  // namespace espalier::proof
