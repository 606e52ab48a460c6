// SPDX-License-Identifier: Apache-2.0
// topo: what is read in a description of a machine, where a job's ranks are on it, and what a node is made of.
#include <algorithm>
#include <memory>

#include "tool/job_output.hpp"
#include "tool/machine_output.hpp"
#include "tool/networks.hpp"
#include "tool/node_output.hpp"
#include "tool/output.hpp"
#include "topology/readers/host_file.hpp"

namespace espalier::tool {

namespace {

// More of them fill the screen.
constexpr std::size_t max_missing_shown = 12;

struct TopoOptions {
  NetworkOptions network;
  std::string ranks;  // a hostfile
  std::string hwloc;  // a file
  bool node = false;
};

Json missing_places(const Machine& machine) {
  Json missing = Json::array();
  for (std::size_t number = 0; number < machine.node_at.size(); ++number) {
    if (machine.node_at[number] == no_node)
      missing.push_back(machine.lattice->coordinates_of(static_cast<int>(number)));
  }
  return missing;
}

std::string kind_of(const Machine& machine) {
  if (machine.lattice) return lattice_text(*machine.lattice);
  if (machine.sites() > 1) return std::to_string(machine.sites()) + " sites";
  return machine.nic_bytes_per_second > 0 ? "one cluster" : "graph";
}

std::vector<int> degrees_of(const Machine& machine) {
  std::vector<int> degree(machine.nodes.size());
  for (const Arc& arc : machine.arcs) ++degree[arc.from];
  return degree;
}

Json nodes_of(const Machine& machine) {
  const std::vector<int> degree = degrees_of(machine);
  const std::vector<Json> places = places_of(machine);
  Json nodes = Json::array();
  for (std::size_t node = 0; node < machine.nodes.size(); ++node) {
    const MachineNode& one = machine.nodes[node];
    nodes.push_back(
        {{"name", one.name}, {"place", places[node]}, {"links", degree[node]}, {"nics", one.nics}, {"site", one.site}});
  }
  return nodes;
}

// A list of all nodes takes much more memory than the machine itself.
Json answer_for(const Machine& machine, bool lists_nodes) {
  const auto network = one_rank_per_node(machine);
  const std::vector<int> degree = degrees_of(machine);
  Json answer = {{"kind", kind_of(machine)}};
  if (lists_nodes) {
    answer["nodes"] = nodes_of(machine);
    answer["missing"] = missing_places(machine);
  }
  answer["links"] = machine.arcs.size() / 2;
  answer["min_links"] = *std::ranges::min_element(degree);
  answer["max_links"] = *std::ranges::max_element(degree);
  if (machine.engines > 0) answer["engines"] = machine.engines;
  answer["bytes_per_second"] = network->bytes_per_second();
  answer["connected"] = machine.arcs.empty() ? Json(nullptr) : Json(network->is_connected());
  answer["trees"] = trees_of(*network);
  return answer;
}

std::string rates_text(const Machine& machine) {
  if (machine.nic_rates.empty()) return rate_text(machine.nic_bytes_per_second);
  std::string text;
  for (const double rate : machine.nic_rates) text += (text.empty() ? "" : ", ") + rate_text(rate);
  return text;
}

std::string links_text(const Machine& machine, const Json& answer) {
  const std::string rate = rate_text(answer["bytes_per_second"].get<double>());
  if (machine.nic_bytes_per_second > 0) {
    return "switched; each node has " + plural(machine.nodes.front().nics, "NIC") + " of " + rates_text(machine) + "\n";
  }
  if (machine.arcs.empty()) return "no two of its nodes are joined by a link\n";
  const auto min_links = answer["min_links"].get<std::size_t>(), max_links = answer["max_links"].get<std::size_t>();
  return plural(machine.arcs.size() / 2, "link") + " of " + rate + " or more, in each direction; " +
         (min_links == max_links ? plural(max_links, "link")
                                 : std::to_string(min_links) + " to " + plural(max_links, "link")) +
         " at each node" +
         (machine.engines > 0 ? ", of which it uses " + std::to_string(machine.engines) + " at a time" : "") +
         (answer["connected"].get<bool>() ? "" : "; NOT all nodes can be reached over them") + "\n";
}

std::string missing_text(const Machine& machine) {
  const auto missing = static_cast<std::size_t>(std::ranges::count(machine.node_at, no_node));
  if (missing == 0) return "";
  if (missing <= max_missing_shown) return ", missing at " + missing_places(machine).dump();
  return ", " + plural(missing, "place") + " without one; --json lists them";
}

std::string as_text(const Machine& machine, const Json& answer) {
  std::string text =
      answer["kind"].get<std::string>() + ": " + plural(machine.nodes.size(), "node") + missing_text(machine) + "\n";
  text += links_text(machine, answer) + trees_text(answer["trees"]);
  if (answer.contains("job")) text += "\n" + job_text(answer["job"]);
  return text;
}

void show_node(const TopoOptions& options, bool as_json) {
  const NodeParts node = options.node ? this_node() : node_from_hwloc(text_of("--hwloc", options.hwloc), options.hwloc);
  if (as_json) return print_json(node_json(node));
  print(node_text(node));
}

void show_machine(const TopoOptions& options, bool as_json) {
  const Machine machine = requested_machine(options.network);
  Json answer = answer_for(machine, as_json);
  if (!options.ranks.empty()) {
    answer["job"] = job_json(machine, nodes_of_ranks(text_of("--ranks", options.ranks), options.ranks, machine));
  }
  if (as_json) return print_json(answer);
  print(as_text(machine, answer));
}

void show(const TopoOptions& options, bool as_json) {
  const bool asks_for_node = options.node || !options.hwloc.empty();
  if (asks_for_node && (options.network.given() || !options.ranks.empty())) {
    throw BadRequest("a node or a machine? --node and --hwloc do not go with --topology, --torus, --mesh and --ranks");
  }
  if (asks_for_node) return show_node(options, as_json);
  if (!options.network.given()) {
    throw BadRequest(
        "which machine? Allowed: --topology FILE, --torus KxK or --mesh KxK; for a node, --node or --hwloc FILE");
  }
  show_machine(options, as_json);
}

}  // namespace

void add_topo(CLI::App& app) {
  CLI::App* command = app.add_subcommand("topo", "What is read in a description of a machine.");
  const auto options = std::make_shared<TopoOptions>();
  add_network_options(*command, options->network);
  command->add_option("--ranks", options->ranks, "Which ranks sit where, by this hostfile of Open MPI's or MPICH's");
  CLI::Option* node = command->add_flag("--node", options->node, "Instead: what this very node is made of");
  command->add_option("--hwloc", options->hwloc, "Instead: what the node of this export of hwloc's is made of")
      ->excludes(node);
  const CLI::Option* json = add_json_flag(*command);
  command->callback([options, json] { show(*options, json->count() > 0); });
}

}  // namespace espalier::tool
