// SPDX-License-Identifier: Apache-2.0
// topo: what a description of a machine is taken for.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "algorithms/shapes/torus_trees.hpp"
#include "tool/networks.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

namespace {

// Larger graphs take too long for an answer at once.
constexpr int most_nodes_to_cut = 2000;

std::string lattice_text(const Lattice& lattice) {
  std::string text;
  bool wraps = true;
  for (const Lattice::Axis& axis : lattice.axes) {
    text += (text.empty() ? "" : "x") + std::to_string(axis.extent);
    wraps &= axis.wraps || axis.extent == 1;
  }
  return (wraps ? "torus " : "mesh ") + text;
}

Json place_json(const Machine& machine, int node) {
  if (!machine.lattice) return nullptr;
  const auto number = std::ranges::find(machine.node_at, node) - machine.node_at.begin();
  return machine.lattice->place_of(static_cast<int>(number));
}

Json missing_places(const Machine& machine) {
  Json missing = Json::array();
  for (std::size_t number = 0; number < machine.node_at.size(); ++number) {
    if (machine.node_at[number] == no_node) missing.push_back(machine.lattice->place_of(static_cast<int>(number)));
  }
  return missing;
}

std::string kind_of(const Machine& machine) {
  if (machine.lattice) return lattice_text(*machine.lattice);
  if (machine.sites() > 1) return std::to_string(machine.sites()) + " sites";
  return machine.nic_bytes_per_second > 0 ? "one cluster" : "graph";
}

// What algorithms can make of it.
Json trees_of(const Network& network) {
  Json trees = Json::object();
  if (network.torus() != nullptr) {
    const int dimensions = network.torus()->lattice.dimensions();
    trees["trinaryx3"] = dimensions;
    trees["trinaryx6"] = 2 * dimensions;
    trees["height"] = torus_tree_height(network.torus()->lattice);
  }
  if (network.is_connected() && network.nodes() > 1 && network.nodes() <= most_nodes_to_cut) {
    trees["packed"] = minimum_cut(network.nodes(), network.arcs(), 0);
  }
  return trees;
}

Json answer_for(const Machine& machine) {
  const auto network = one_rank_per_node(machine);
  std::vector<int> degree(machine.nodes.size());
  for (const Arc& arc : machine.arcs) ++degree[arc.from];
  Json nodes = Json::array();
  for (std::size_t node = 0; node < machine.nodes.size(); ++node) {
    const Node& one = machine.nodes[node];
    nodes.push_back({{"name", one.name},
                     {"place", place_json(machine, static_cast<int>(node))},
                     {"links", degree[node]},
                     {"nics", one.nics},
                     {"site", one.site}});
  }
  return {{"kind", kind_of(machine)},
          {"nodes", nodes},
          {"missing", missing_places(machine)},
          {"links", machine.arcs.size() / 2},
          {"fewest_links", *std::ranges::min_element(degree)},
          {"most_links", *std::ranges::max_element(degree)},
          {"bytes_per_second", network->bytes_per_second()},
          {"connected", machine.arcs.empty() ? Json(nullptr) : Json(network->is_connected())},
          {"trees", trees_of(*network)}};
}

std::string rate_text(double rate) {
  char text[48];
  std::snprintf(text, sizeof text, rate < 1e5 ? "%.4g B/s" : "%.4g MB/s", rate < 1e5 ? rate : rate / 1e6);
  return text;
}

std::string plural(std::size_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string links_text(const Machine& machine, const Json& answer) {
  const std::string rate = rate_text(answer["bytes_per_second"].get<double>());
  if (machine.nic_bytes_per_second > 0) {
    return "switched; each node has " + plural(machine.nodes.front().nics, "NIC") + " of " + rate + "\n";
  }
  if (machine.arcs.empty()) return "no two of its nodes are joined by a link\n";
  const auto fewest = answer["fewest_links"].get<std::size_t>(), most = answer["most_links"].get<std::size_t>();
  return plural(machine.arcs.size() / 2, "link") + " of " + rate + " or more, each way; " +
         (fewest == most ? plural(most, "link") : std::to_string(fewest) + " to " + plural(most, "link")) +
         " at each node" + (answer["connected"].get<bool>() ? "" : "; NOT all nodes can be reached over them") + "\n";
}

std::string as_text(const Machine& machine, const Json& answer) {
  std::string text = answer["kind"].get<std::string>() + ": " + plural(machine.nodes.size(), "node");
  if (!answer["missing"].empty()) text += ", missing at " + answer["missing"].dump();
  text += "\n" + links_text(machine, answer);
  for (const auto& [name, count] : answer["trees"].items()) {
    text += name == "height" ? "  their height: " + count.dump() + "\n"
                             : name + ": " + plural(count.get<std::size_t>(), "tree") +
                                   (count == 1 ? "\n" : " that share no link\n");
  }
  return text;
}

}  // namespace

void add_topo(CLI::App& app) {
  CLI::App* command = app.add_subcommand("topo", "What a description of a machine is taken for.");
  const auto options = std::make_shared<NetworkOptions>();
  add_network_options(*command, *options);
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] {
    if (!options->given()) throw BadRequest("which machine? Allowed: --topology FILE, --torus KxK or --mesh KxK");
    const Machine machine = requested_machine(*options);
    const Json answer = answer_for(machine);
    if (json->count() > 0) return print_json(answer);
    print(as_text(machine, answer));
  });
}

}  // namespace espalier::tool
