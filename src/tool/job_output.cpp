// SPDX-License-Identifier: Apache-2.0
#include "tool/job_output.hpp"

#include <algorithm>

#include "core/printable.hpp"
#include "tool/machine_output.hpp"
#include "tool/output.hpp"

namespace espalier::tool {

namespace {

constexpr std::size_t max_rows = 40;
constexpr std::size_t widest_name = 28, widest_place = 20, widest_ranks = 28;  // 80 columns, with the gaps

std::string shortened(const std::string& raw, std::size_t width) {
  const std::string text = printable(raw);
  if (text.size() <= width) return text;
  std::size_t end = 0;  // between two characters
  for (std::size_t next = 0; next <= width - 3; next += first_character(text.substr(next)).bytes) end = next;
  return text.substr(0, end) + "...";
}

// What the nodes are of the machine's lattice; empty if they fill no box of it.
std::string shape_of(const Network& network, const Machine& machine) {
  if (network.box() == nullptr) return "";
  const Lattice& box = network.box()->lattice;
  const bool is_torus = network.torus() != nullptr;
  if (network.nodes() == machine.lattice->points()) return "the whole " + lattice_text(*machine.lattice);
  if (box.dimensions() == 0) return "a single place";
  if (box.dimensions() == 1) return (is_torus ? "a whole ring of " : "a line of ") + extents_text(box);
  if (box.dimensions() == 2 && is_torus) return "a whole plane, " + lattice_text(box);
  return is_torus ? "a " + lattice_text(box) : "a box of " + extents_text(box);
}

// "0-3,8"
std::string ranges_text(const Json& ranks) {
  std::string text;
  for (std::size_t k = 0; k < ranks.size();) {
    std::size_t end = k + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1].get<int>() + 1) ++end;
    text += (text.empty() ? "" : ",") + ranks[k].dump() + (end - k > 1 ? "-" + ranks[end - 1].dump() : "");
    k = end;
  }
  return text;
}

std::string sentence(const Json& job) {
  const std::string text =
      plural(job["ranks"].get<std::size_t>(), "rank") + " on " + plural(job["nodes"].size(), "node");
  if (!job["sites"].is_null()) return text + " of " + plural(job["sites"].get<std::size_t>(), "site") + "\n";
  if (!job["shape"].is_null()) return text + ": " + job["shape"].get<std::string>() + "\n";
  if (job["nodes"].size() == 1) return text + "\n";
  const bool has_lattice = !job["nodes"][0]["place"].is_null();
  return text + (has_lattice ? ", which fill no torus and no box\n" : "\n") +
         (job["connected"].get<bool>() ? "links between them join them all\n"
                                       : "links between them do NOT join them all\n");
}

std::string place_text(const Json& node, bool has_sites) {
  if (!node["place"].is_null()) return node["place"].dump();
  return has_sites ? "site " + node["site"].dump() : "-";
}

}  // namespace

Json job_json(const Machine& machine, std::span<const int> node_of) {
  const Network network(machine, node_of);
  const std::vector<Json> places = places_of(machine);
  Json nodes = Json::array();
  for (int ours = 0; ours < network.nodes(); ++ours) {
    const RanksOfNode ranks = network.ranks_on(ours);
    const auto node = static_cast<std::size_t>(node_of[static_cast<std::size_t>(ranks.front())]);
    nodes.push_back({{"name", machine.nodes[node].name},
                     {"place", places[node]},
                     {"site", machine.nodes[node].site},
                     {"ranks", std::vector<Rank>(ranks.begin(), ranks.end())}});
  }
  const std::string shape = shape_of(network, machine);
  const bool is_switched = !network.sites().empty();
  return {{"ranks", node_of.size()},
          {"shape", shape.empty() ? Json(nullptr) : Json(shape)},
          {"whole_torus", network.torus() != nullptr},
          {"connected", is_switched ? Json(nullptr) : Json(network.is_connected())},
          {"sites", is_switched ? Json(network.sites().size()) : Json(nullptr)},
          {"trees", trees_of(network)},
          {"nodes", nodes}};
}

std::string job_text(const Json& job) {
  TextTable table = {{"node", "place", "ranks"}};
  const Json& nodes = job["nodes"];
  for (std::size_t k = 0; k < std::min(nodes.size(), max_rows); ++k) {
    table.push_back({shortened(nodes[k]["name"].get<std::string>(), widest_name),
                     shortened(place_text(nodes[k], !job["sites"].is_null()), widest_place),
                     shortened(ranges_text(nodes[k]["ranks"]), widest_ranks)});
  }
  std::string text = sentence(job) + trees_text(job["trees"]) + "\n" + format_table(table);
  if (nodes.size() > max_rows) {
    text += "... and " + plural(nodes.size() - max_rows, "node") + " more; --json prints them all\n";
  }
  return text;
}

}  // namespace espalier::tool
