// SPDX-License-Identifier: Apache-2.0
#include "machine_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <variant>

#include "core/bad_description.hpp"
#include "target.hpp"
#include "topology/network.hpp"

namespace espalier::fuzz {

namespace {

const std::string file = "file";
constexpr std::size_t max_nodes_twice = 10000;  // two larger machines at a time are too much memory

bool is_index(int index, std::size_t count) { return index >= 0 && static_cast<std::size_t>(index) < count; }

void check_nodes(const std::vector<MachineNode>& nodes) {
  require(!nodes.empty(), "a machine has no node");
  std::set<std::string_view> names;
  std::set<int> sites;
  for (const MachineNode& node : nodes) {
    require(!node.name.empty(), "a node's name is empty");
    require(names.insert(node.name).second, "two nodes have one name");
    require(node.nics >= 1, "a node has no NIC");
    sites.insert(node.site);
  }
  require(*sites.begin() == 0 && is_index(*sites.rbegin(), sites.size()), "sites are not numbered without gaps");
}

void check_arcs(const Machine& machine) {
  std::vector<Arc> there = machine.arcs, back;
  for (const auto& [from, to, rate] : there) {
    require(is_index(from, machine.nodes.size()) && is_index(to, machine.nodes.size()), "an arc ends at no node");
    require(from != to, "an arc joins a node with itself");
    require(rate > 0 && std::isfinite(rate), "an arc's rate is not positive");
    back.push_back({to, from, rate});
  }
  const auto key = [](const Arc& arc) { return std::tuple(arc.from, arc.to, arc.bytes_per_second); };
  std::ranges::sort(there, {}, key);
  std::ranges::sort(back, {}, key);
  require(there == back, "an arc has none for the route back");
}

void check_places(const Machine& machine) {
  if (!machine.lattice) return require(machine.node_at.empty(), "there are places without a lattice");
  for (const auto& [extent, wraps, doubled] : machine.lattice->axes) {
    require(extent >= 1, "an axis has no place");
    require(!doubled || (wraps && extent == 2), "an axis that is no ring of two has double links");
  }
  require(machine.node_at.size() == static_cast<std::size_t>(machine.lattice->points()), "places without an entry");
  std::vector<int> seen(machine.nodes.size(), 0);
  for (const int node : machine.node_at) {
    require(node == no_node || is_index(node, machine.nodes.size()), "a node that is none is at a place");
    if (node != no_node) ++seen[static_cast<std::size_t>(node)];
  }
  require(std::ranges::all_of(seen, [](int count) { return count == 1; }), "a node is not at one place");
}

void check_costs(const Machine& machine) {
  require(machine.hop_seconds > 0 && std::isfinite(machine.hop_seconds), "hop_seconds is not positive");
  require(machine.wan_seconds >= 0 && std::isfinite(machine.wan_seconds), "wan_seconds is negative");
  require(machine.burst_bytes >= 0 && std::isfinite(machine.burst_bytes), "burst_bytes is negative");
  const double rate = machine.nic_bytes_per_second;
  require(rate >= 0 && std::isfinite(rate), "the rate of NICs is negative");
  require(std::ranges::all_of(machine.nic_rates, [](double one) { return one > 0 && std::isfinite(one); }),
          "a NIC's rate is not positive");
  require(rate == 0 || (machine.arcs.empty() && !machine.lattice), "nodes meet in switches, and are joined by links");
  require(rate > 0 || machine.sites() == 1, "sites without switches");
}

void check_network(const Machine& machine) {
  std::vector<int> node_of(machine.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  const Network network(machine, node_of);
  require(network.nodes() == static_cast<int>(node_of.size()), "a network has other nodes than its machine");
  require(network.bytes_per_second() > 0 || machine.arcs.empty(), "a network has no rate");
}

bool are_equal(const Machine& a, const Machine& b) {
  const auto fields = [](const Machine& machine) {
    return std::tie(machine.nodes, machine.arcs, machine.nic_bytes_per_second, machine.nic_rates, machine.hop_seconds,
                    machine.wan_seconds, machine.burst_bytes, machine.lattice, machine.node_at);
  };
  return fields(a) == fields(b);
}

using Outcome = std::variant<Machine, std::string>;  // or why it was refused

Outcome outcome_of(Machine (*read)(std::string_view, const std::string&), std::string_view text) {
  try {
    return read(text, file);
  } catch (const BadDescription& bad) {
    return bad.what();
  }
}

}  // namespace

void check_machine(const Machine& machine) {
  check_nodes(machine.nodes);
  check_arcs(machine);
  check_places(machine);
  check_costs(machine);
  check_network(machine);
}

void check_reader(Machine (*read)(std::string_view, const std::string&), std::string_view text) {
  const Outcome first = outcome_of(read, text);
  const auto* const machine = std::get_if<Machine>(&first);
  if (machine != nullptr) check_machine(*machine);
  if (machine != nullptr && machine->nodes.size() > max_nodes_twice) return;
  const Outcome second = outcome_of(read, text);
  require(first.index() == second.index(), "a text is taken once and refused once");
  if (const auto* why = std::get_if<std::string>(&first)) {
    require(why->starts_with(file + ":") && why->find(": ") + 2 < why->size(), "a refusal says nothing");
    require(*why == std::get<std::string>(second), "a text is refused for two reasons");
    return;
  }
  require(are_equal(*machine, std::get<Machine>(second)), "a text makes two machines");
}

}  // namespace espalier::fuzz
