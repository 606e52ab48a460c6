// SPDX-License-Identifier: Apache-2.0
// What a machine is: nodes and the links between them. Knows nothing of ranks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/arc.hpp"
#include "topology/lattice.hpp"
#include "topology/tofu.hpp"

namespace espalier {

inline constexpr int no_node = -1;

struct MachineNode {
  std::string name;  // as the host calls itself
  int nics = 1;
  int site = 0;
  friend bool operator==(const MachineNode&, const MachineNode&) = default;
};

// Switches that do block, below the nodes' NICs. Nodes are spread over them in their order, as evenly as may be.
struct FatTree {
  int leaves = 1, uplinks = 1;  // switches that nodes are on; links up from each
  double bytes_per_second = 0;  // of an uplink, in each direction
};
struct Dragonfly {
  int groups = 1, routers = 1;  // groups are joined in pairs, and so are the routers of a group
  double bytes_per_second = 0, global_bytes_per_second = 0;  // of a link in a group, and between two
};

// What only simulations (simulate/) look at.
struct SimulatedParts {
  std::string name;
  double link_seconds = 0;          // what each link delays a message, over what its bytes take
  double arrival_seconds = 0;       // until a rank knows that a message has arrived from another node
  double call_seconds = 0;          // what a call costs before its first message
  double put_bytes_per_second = 0;  // of one engine; 0: as much as the link
  double reduction_seconds = 0;     // what each reduction costs, over what its bytes take
  int threads = 1;                  // of one rank, which share a reduction
  std::optional<FatTree> fat_tree;
  std::optional<Dragonfly> dragonfly;
};

struct Machine {
  std::vector<MachineNode> nodes;
  std::vector<Arc> arcs;  // both directions of every link that joins two nodes without another one between them
  // Of a lattice or of Tofu, all links of which are alike: their rate, where `arcs` leaves them out.
  double link_bytes_per_second = 0;
  double nic_bytes_per_second = 0;  // of a NIC, in each direction, where nodes meet in switches; 0: they do not
  std::vector<double> nic_rates;    // of each NIC of a node, where they differ: the one above is their mean
  double hop_seconds = 5e-6;        // what a message costs at each node in flight, over what its bytes take on the link
  double wan_seconds = 0;           // one direction, between two sites
  double connection_bytes = 0;      // what a TCP connection has under way there at most; 0: nothing is known of it
  double burst_bytes = 0;           // what a link that is shaped, rather than slow, lets pass at once after a rest
  int engines = 0;  // how many messages a node sends, and receives, at a time; 0: as many as it has links
  double arithmetic_bytes_per_second = 6.58e9;  // of one operand, by one rank; as in paper 1, section 6.4.1
  SimulatedParts simulated;

  // Of a torus or mesh: which node is at each place; no_node where one is missing.
  std::optional<Lattice> lattice;
  std::vector<int> node_at;
  // On Tofu: where each node is. The lattice then is that of the whole machine, folded; a job's is its own
  // (job_box.hpp).
  std::vector<TofuPlace> tofu;

  // no_node if there is none of this name. A host's name may have a domain that the description leaves out.
  [[nodiscard]] int node_named(std::string_view name) const;
  [[nodiscard]] int sites() const;
  [[nodiscard]] bool says_links() const { return link_bytes_per_second > 0; }
};

// As a job keeps it: without names, and without links that its lattice says. Each rank has it.
[[nodiscard]] Machine without_what_follows(Machine machine);

// Both directions of every link, whether listed or not.
[[nodiscard]] std::vector<Arc> links_of(const Machine& machine);

// The arcs of a lattice, for node_at[] as above.
[[nodiscard]] std::vector<Arc> arcs_of(const Lattice& lattice, const std::vector<int>& node_at,
                                       double bytes_per_second);

}  // namespace espalier
