// SPDX-License-Identifier: Apache-2.0
#include "verify/checks/deadlock.hpp"

#include <bit>

#include "verify/checks/components.hpp"
#include "verify/checks/wait_graph.hpp"
#include "verify/model/describe.hpp"

namespace espalier::proof {

namespace {

using WaitEdge = WaitGraph::WaitEdge;

// Searches strongly connected components for a cycle whose weights add up to more than 0, by relaxation (Bellman-Ford
// for heaviest paths). The edges along which nodes were improved last close to a cycle exactly when there is such one.
class CycleSearch {
 public:
  explicit CycleSearch(std::uint32_t nodes) : heaviest_(nodes), improved_by_(nodes), visited_by_(nodes) {}

  // `edges`: all those inside one component. Returns a cycle, or nothing if there is none.
  template <class Weight>
  std::vector<const WaitEdge*> search(const std::vector<const WaitEdge*>& edges, std::uint32_t nodes,
                                      const Weight& weight) {
    for (const WaitEdge* edge : edges) {
      heaviest_[edge->from] = 0;
      improved_by_[edge->from] = nullptr;
    }
    for (std::uint32_t round = 1; relax(edges, weight); ++round) {
      const bool look = (round > first_look && std::has_single_bit(round)) || round > nodes;
      if (!look) continue;
      std::vector<const WaitEdge*> cycle = find_cycle(edges);
      if (!cycle.empty()) return cycle;
    }
    return {};
  }

 private:
  static constexpr std::uint32_t first_look = 4;  // most searches end within a few rounds

  template <class Weight>
  bool relax(const std::vector<const WaitEdge*>& edges, const Weight& weight) {
    bool improved = false;
    for (const WaitEdge* edge : edges) {
      const std::int64_t through = heaviest_[edge->to] + weight(edge->offset);
      if (through <= heaviest_[edge->from]) continue;
      heaviest_[edge->from] = through;
      improved_by_[edge->from] = edge;
      improved = true;
    }
    return improved;
  }

  std::vector<const WaitEdge*> find_cycle(const std::vector<const WaitEdge*>& edges) {
    for (const WaitEdge* edge : edges) visited_by_[edge->from] = nullptr;
    for (const WaitEdge* start : edges) {
      std::uint32_t node = start->from;
      while (visited_by_[node] == nullptr && improved_by_[node] != nullptr) {
        visited_by_[node] = start;
        node = improved_by_[node]->to;
      }
      if (improved_by_[node] != nullptr && visited_by_[node] == start) return cycle_through(node);
    }
    return {};
  }

  [[nodiscard]] std::vector<const WaitEdge*> cycle_through(std::uint32_t first) const {
    std::vector<const WaitEdge*> cycle;
    std::uint32_t node = first;
    do {
      cycle.push_back(improved_by_[node]);
      node = improved_by_[node]->to;
    } while (node != first);
    return cycle;
  }

  // By node. Only those of the component at hand mean anything.
  std::vector<std::int64_t> heaviest_;
  std::vector<const WaitEdge*> improved_by_;
  std::vector<const WaitEdge*> visited_by_;  // by the walk that began at this edge
};

class DeadlockCheck {
 public:
  explicit DeadlockCheck(const AllRanks& all) : all_(all), graph_(all), search_(graph_.nodes()) {}

  std::string check() {
    const std::vector<std::uint32_t> component = strong_components(graph_);
    std::vector<std::vector<const WaitEdge*>> inside(graph_.nodes());
    std::vector<std::uint32_t> nodes(graph_.nodes(), 0);
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) {
      ++nodes[component[node]];
      for (const WaitEdge& edge : graph_.from(node)) {
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
  std::string check_component(const std::vector<const WaitEdge*>& edges, std::uint32_t nodes) {
    const auto growth = [](const Offset& offset) { return std::int64_t{offset.segments}; };
    std::string wrong = check_cycles(edges, nodes, growth, "deadlock for many segments: ");
    if (!wrong.empty()) return wrong + "; streams that travel whole (merge_streams()) have no segments to wait for";
    // Integers, and a cycle has at most `nodes` edges: "at least 0" becomes "more than 0".
    const std::int64_t scale = std::int64_t{nodes} + 1;
    const auto smallest = [scale](const Offset& offset) {
      return (std::int64_t{offset.segments} + offset.window + offset.constant) * scale + 1;
    };
    return check_cycles(edges, nodes, smallest, "deadlock: ");
  }

  template <class Weight>
  std::string check_cycles(const std::vector<const WaitEdge*>& edges, std::uint32_t nodes, const Weight& weight,
                           const char* heading) {
    bool may_grow = false;
    for (const WaitEdge* edge : edges) may_grow = may_grow || weight(edge->offset) > 0;
    if (!may_grow) return {};
    const auto cycle = search_.search(edges, nodes, weight);
    return cycle.empty() ? "" : heading + text_of(cycle);
  }

  [[nodiscard]] std::string text_of(const std::vector<const WaitEdge*>& cycle) const {
    constexpr std::size_t max_named = 8;
    std::string text;
    Offset sum;
    for (std::size_t k = 0; k < cycle.size(); ++k) {
      const WaitEdge* edge = cycle[k];
      if (k == max_named) text += "... waits for ";
      if (k < max_named)
        text += describe(all_, WaitGraph::operation_of(edge->from)) +
                (WaitGraph::is_done(edge->from) ? " done, " : " posted, ") + "waits for ";
      sum.segments += edge->offset.segments;
      sum.window += edge->offset.window;
      sum.constant += edge->offset.constant;
    }
    return text + "the first again, " + std::to_string(sum.segments) + " s + " + std::to_string(sum.window) + " w + " +
           std::to_string(sum.constant) + " items ahead (s segments, window w)";
  }

  const AllRanks& all_;
  WaitGraph graph_;
  CycleSearch search_;
};

}  // namespace

std::string check_deadlock(const AllRanks& all) { return DeadlockCheck(all).check(); }

}  // namespace espalier::proof
