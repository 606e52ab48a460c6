// SPDX-License-Identifier: Apache-2.0
#include "verify/sample_networks.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

#include "topology/network.hpp"

namespace espalier {

namespace {

std::string text_of(const std::vector<int>& extents) {
  std::string text;
  for (const int extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

void name_nodes(Machine& machine, int count) {
  for (int node = 0; node < count; ++node) machine.nodes.push_back({"n" + std::to_string(node)});
}

Machine lattice_machine(const std::vector<int>& extents, bool wraps, const std::vector<int>& missing = {},
                        bool doubled = false) {
  Machine machine;
  machine.lattice.emplace();
  for (const int extent : extents)
    machine.lattice->axes.push_back({extent, wraps && extent > 1, doubled && extent == 2});
  int nodes = 0;
  for (int place = 0; place < machine.lattice->points(); ++place) {
    machine.node_at.push_back(std::ranges::count(missing, place) > 0 ? no_node : nodes++);
  }
  name_nodes(machine, nodes);
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, 1);
  return machine;
}

struct SampleLink {
  int a, b;
  double rate = 1;
};

Machine graph_machine(int nodes, std::initializer_list<SampleLink> links) {
  Machine machine;
  name_nodes(machine, nodes);
  for (const auto& [a, b, rate] : links) {
    machine.arcs.push_back({a, b, rate});
    machine.arcs.push_back({b, a, rate});
  }
  return machine;
}

// This many ranks on each node in turn, then shuffled.
std::vector<int> placement(const Machine& machine, const std::vector<int>& ranks_per_node, bool shuffled) {
  std::vector<int> node_of;
  for (std::size_t node = 0; node < machine.nodes.size(); ++node) {
    node_of.insert(node_of.end(), ranks_per_node[node % ranks_per_node.size()], static_cast<int>(node));
  }
  if (shuffled) std::ranges::shuffle(node_of, std::mt19937(7));
  return node_of;
}

class Samples {
 public:
  Samples() {
    for (const std::vector<int>& extents :
         std::vector<std::vector<int>>{{3}, {5}, {3, 3}, {5, 3}, {4, 4}, {3, 3, 3}, {3, 4, 5}, {3, 3, 3, 3}}) {
      add("torus " + text_of(extents), lattice_machine(extents, true));
    }
    add("torus 3x3x3, shuffled", lattice_machine({3, 3, 3}, true), {1}, true);
    add("torus 4x3, 2 ranks per node", lattice_machine({4, 3}, true), {2});
    add("torus 3x3, 1 to 3 ranks per node, shuffled", lattice_machine({3, 3}, true), {3, 1, 2}, true);
    add("torus 3x1x3", lattice_machine({3, 1, 3}, true));
    add("torus 2x2x2", lattice_machine({2, 2, 2}, true));
    add("torus 2x3", lattice_machine({2, 3}, true));
    add("torus 2x3, double links", lattice_machine({2, 3}, true, {}, true));
    add("torus 2x2x2, double links", lattice_machine({2, 2, 2}, true, {}, true));
    add("torus 4x2x3, double links", lattice_machine({4, 2, 3}, true, {}, true));
    add("torus 2, double link", lattice_machine({2}, true, {}, true));
    add("torus 3x3x3, 1 node missing", lattice_machine({3, 3, 3}, true, {13}));
    add("torus 3x3x3, 2 nodes missing, shuffled", lattice_machine({3, 3, 3}, true, {4, 20}), {1}, true);
    add("mesh 4x4", lattice_machine({4, 4}, false));
    add("mesh 5", lattice_machine({5}, false));
    add("mesh 2x3, 2 ranks per node", lattice_machine({2, 3}, false), {2});
    add("mesh 4, 3 ranks per node, shuffled", lattice_machine({4}, false), {3}, true);
    add("one node, 3 ranks", lattice_machine({1}, true), {3});
    add("two nodes", graph_machine(2, {{0, 1}}));
    add("a triangle with a double side", graph_machine(3, {{0, 1, 2}, {1, 2}, {2, 0}}));
    add("two triangles joined by one link", graph_machine(6, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {5, 3}}));
    add("a clique of five",
        graph_machine(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}}));
  }

  std::vector<SampleNetwork> all;

 private:
  void add(std::string name, const Machine& machine, const std::vector<int>& per_node = {1}, bool shuffled = false) {
    const std::vector<int> node_of = placement(machine, per_node, shuffled);
    networks_.push_back(std::make_unique<const Network>(machine, node_of));
    all.push_back({std::move(name), {static_cast<Rank>(node_of.size()), networks_.back().get()}});
  }

  std::vector<std::unique_ptr<const Network>> networks_;
};

}  // namespace

std::span<const SampleNetwork> sample_networks() {
  static const Samples samples;
  return samples.all;
}

}  // namespace espalier
