// SPDX-License-Identifier: Apache-2.0
#include "tool/machine_output.hpp"

#include <cstdio>

#include "algorithms/shapes/torus_trees.hpp"

namespace espalier::tool {

namespace {

// Larger graphs take too long for an answer at once.
constexpr int max_nodes_to_cut = 2000;

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
    const int dimensions = network.torus()->lattice.dimensions();
    trees["trinaryx3"] = dimensions;
    trees["trinaryx6"] = 2 * dimensions;
    trees["height"] = torus_tree_height(network.torus()->lattice);
  }
  if (network.is_connected() && network.nodes() > 1 && network.nodes() <= max_nodes_to_cut) {
    trees["packed"] = minimum_cut(network.nodes(), network.arcs(), 0);
  }
  return trees;
}

std::string trees_text(const Json& trees) {
  std::string text;
  for (const auto& [name, count] : trees.items()) {
    text += name == "height" ? "  their height: " + count.dump() + "\n"
                             : name + ": " + plural(count.get<std::size_t>(), "tree") +
                                   (count == 1 ? "\n" : " that share no link\n");
  }
  return text;
}

}  // namespace espalier::tool
