// SPDX-License-Identifier: Apache-2.0
#include "tool/networks.hpp"

#include <numeric>

#include "settings/number.hpp"
#include "settings/words.hpp"
#include "tool/output.hpp"
#include "topology/readers/host_file.hpp"
#include "topology/readers/read_machine.hpp"

namespace espalier::tool {

namespace {

constexpr int max_nodes = 1 << 20;
constexpr int max_axes = 16;

Machine lattice_of(const std::string& option, const std::string& text, bool wraps, const NetworkOptions& options) {
  Machine machine{.hop_seconds = options.hop_seconds, .engines = options.engines};
  machine.lattice.emplace();
  std::size_t places = 1;
  for (const std::string_view word : split(text, 'x')) {
    const auto extent = parse_number(word);
    if (!extent || *extent == 0 || *extent > max_nodes || (places *= *extent) > max_nodes ||
        machine.lattice->dimensions() == max_axes) {
      throw BadRequest(option + " " + text + ": not a lattice; allowed: extents such as 3x3x3, at most " +
                       std::to_string(max_axes) + " of them and " + std::to_string(max_nodes) + " nodes");
    }
    machine.lattice->axes.push_back({static_cast<int>(*extent), wraps && *extent > 1});
  }
  for (int node = 0; node < machine.lattice->points(); ++node) {
    machine.nodes.push_back({"n" + std::to_string(node)});
    machine.node_at.push_back(node);
  }
  machine.arcs = arcs_of(*machine.lattice, machine.node_at, options.rate);
  return machine;
}

}  // namespace

void add_network_options(CLI::App& command, NetworkOptions& options) {
  CLI::Option* torus = command.add_option("--torus", options.torus, "One rank on each node of a torus: 3x3x3");
  CLI::Option* mesh = command.add_option("--mesh", options.mesh, "One rank on each node of a mesh: 4x4");
  CLI::Option* file = command.add_option("--topology", options.topology, "One rank on each node of this description");
  command.add_option("--rate", options.rate, "Of a torus or mesh: bytes per second of each link")
      ->check(CLI::Range(1.0, 1e15))
      ->excludes(file)
      ->capture_default_str();
  command.add_option("--hop-seconds", options.hop_seconds, "Of a torus or mesh: what a message costs at each node")
      ->check(CLI::Range(0.0, 1e3))
      ->excludes(file)
      ->capture_default_str();
  command
      .add_option("--engines", options.engines, "Of a torus or mesh: messages a node sends, and receives, at a time")
      ->check(CLI::Range(1, 64))
      ->excludes(file);
  torus->excludes(mesh)->excludes(file);
  mesh->excludes(file);
}

Machine requested_machine(const NetworkOptions& options) {
  if (!options.torus.empty()) return lattice_of("--torus", options.torus, true, options);
  if (!options.mesh.empty()) return lattice_of("--mesh", options.mesh, false, options);
  return read_machine(text_of("--topology", options.topology), options.topology);
}

std::unique_ptr<const Network> one_rank_per_node(const Machine& machine) {
  return std::make_unique<const Network>(machine, requested_nodes("", machine));
}

std::vector<int> requested_nodes(const std::string& hostfile, const Machine& machine) {
  if (!hostfile.empty()) return nodes_of_ranks(text_of("--hostfile", hostfile), hostfile, machine);
  std::vector<int> node_of(machine.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  return node_of;
}

JobNetworks::JobNetworks(const Machine& machine, const std::vector<int>& node_of, NicUse nic_use)
    : ranks_(static_cast<Rank>(node_of.size())),
      network_(std::make_unique<const Network>(machine, node_of, nic_use)),
      fabric_network_(new Network(network_->with(NicUse::striped))) {}

Shape JobNetworks::shape(TransportWanted wanted) const {
  Shape shape{.size = ranks_, .network = network_.get()};
  const bool gains = fabric_network_->stripes() || network_->sites().size() > 1;
  if (wanted == TransportWanted::mpi || (wanted == TransportWanted::automatic && !gains)) return shape;
  shape.fabric_network = fabric_network_.get();
  shape.transports = wanted == TransportWanted::fabric ? Transports::fabric : Transports::either;
  if (wanted == TransportWanted::fabric) shape.network = fabric_network_.get();
  return shape;
}

}  // namespace espalier::tool
