// SPDX-License-Identifier: Apache-2.0
// The network that a user names on the command line.
#pragma once

#include <memory>
#include <string>

#include "settings/settings.hpp"
#include "tool/command.hpp"
#include "topology/network.hpp"

namespace espalier::tool {

struct NetworkOptions {
  std::string torus;     // "3x3x3"
  std::string mesh;      // "4x4"
  std::string topology;  // a file
  // Of a torus or mesh, which has no file to say them.
  double rate = 1e9;  // bytes per second of each link
  double hop_seconds = Machine{}.hop_seconds;
  int engines = 0;  // of each node; 0: as many as links

  [[nodiscard]] bool given() const { return !torus.empty() || !mesh.empty() || !topology.empty(); }
};

void add_network_options(CLI::App& command, NetworkOptions& options);

// Throws BadRequest or BadDescription.
[[nodiscard]] Machine requested_machine(const NetworkOptions& options);
// One rank on each of its nodes, in order.
[[nodiscard]] std::unique_ptr<const Network> one_rank_per_node(const Machine& machine);
// The node of each rank, by a hostfile; without one each node has a rank, in order.
[[nodiscard]] std::vector<int> requested_nodes(const std::string& hostfile, const Machine& machine);

// As in a job on such nodes: where there are several NICs, or sites, messages may go over libfabric, too.
class JobNetworks {
 public:
  JobNetworks(const Machine& machine, const std::vector<int>& node_of, NicUse nic_use);

  // This must outlive it.
  [[nodiscard]] Shape shape(TransportWanted wanted) const;

 private:
  Rank ranks_;
  std::unique_ptr<const Network> network_, fabric_network_;
};

}  // namespace espalier::tool
