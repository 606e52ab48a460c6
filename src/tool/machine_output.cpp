// SPDX-License-Identifier: Apache-2.0
#include "tool/machine_output.hpp"

#include <cstdio>

#include "algorithms/algorithm.hpp"
#include "algorithms/network_flows.hpp"
#include "algorithms/shapes/torus_trees.hpp"

namespace espalier::tool {

namespace {

// Larger graphs take too long for an answer at once.
constexpr int max_nodes_to_cut = 2000;

// Broadcasts say it for all collectives over the same trees.
void add_trees(Json& trees, const Network& network, Needs needs) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != Collective::bcast || algorithm.needs != needs) continue;
    if (algorithm.disjoint_trees != nullptr) trees[std::string(algorithm.name)] = algorithm.disjoint_trees(network);
  }
}

}  // namespace

std::string plural(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string rate_text(double bytes_per_second) {
  struct Unit {
    double bytes;
    const char* name;
  };
  Unit unit = {1, "B/s"};
  if (bytes_per_second >= 1e5) unit = {1e6, "MB/s"};
  if (bytes_per_second >= 1e10) unit = {1e9, "GB/s"};
  char text[48];
  std::snprintf(text, sizeof text, "%.4g %s", bytes_per_second / unit.bytes, unit.name);
  return text;
}

std::string extents_text(const Lattice& lattice) {
  std::string text;
  for (const Lattice::Axis& axis : lattice.axes) text += (text.empty() ? "" : "x") + std::to_string(axis.extent);
  return text;
}

std::string lattice_text(const Lattice& lattice) {
  bool wraps = true;
  for (const Lattice::Axis& axis : lattice.axes) wraps &= axis.wraps || axis.extent == 1;
  return (wraps ? "torus " : "mesh ") + extents_text(lattice);
}

std::vector<Json> places_of(const Machine& machine) {
  std::vector<Json> places(machine.nodes.size());
  for (std::size_t number = 0; number < machine.node_at.size(); ++number) {
    const int node = machine.node_at[number];
    if (node != no_node)
      places[static_cast<std::size_t>(node)] = machine.lattice->coordinates_of(static_cast<int>(number));
  }
  return places;
}

Json trees_of(const Network& network) {
  Json trees = Json::object();
  if (network.torus() != nullptr) {
    add_trees(trees, network, Needs::torus);
    trees["height"] = torus_tree_height(network.torus()->lattice);
  }
  if (network.is_connected() && network.nodes() > 1 && network.nodes() <= max_nodes_to_cut) {
    add_trees(trees, network, Needs::graph);
    trees["packed_height"] = over_packed_trees(network).height;
  }
  return trees;
}

std::string trees_text(const Json& trees) {
  std::string text;
  for (const auto& [name, count] : trees.items()) {
    text += name.ends_with("height") ? "  height: " + count.dump() + "\n"
                                     : name + ": " + plural(count.get<std::size_t>(), "tree") +
                                           (count == 1 ? "\n" : " that share no link\n");
  }
  return text;
}

}  // namespace espalier::tool
