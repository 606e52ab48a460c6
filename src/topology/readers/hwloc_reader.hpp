// SPDX-License-Identifier: Apache-2.0
// What one node is made of, as hwloc sees it: this very node, or another one's export (`lstopo FILE.xml`).
//
// For the tool only (espalier_hwloc is a library of its own): MPIs bring their own hwloc, often another version, and a
// second one preloaded before them would answer their calls.
#pragma once

#include <string>
#include <vector>

#include "core/bad_description.hpp"

namespace espalier {

inline constexpr int several_numa_nodes = -1;

// A network interface on a PCI bus. Loopback, bridges and interfaces of containers are none.
struct Nic {
  std::string name;                    // as the operating system calls it: "eth0", "mlx5_0"
  std::string kind;                    // "network", or "openfabrics" (InfiniBand and the like)
  std::string bus;                     // the PCI device: an HCA is there once of each kind, on one bus
  int numa_node = several_numa_nodes;  // to which it is near, as the operating system numbers them
  double bytes_per_second = 0;         // of its link; 0: unknown
  friend bool operator==(const Nic&, const Nic&) = default;
};

struct NodeParts {
  int packages = 0;
  int numa_nodes = 0;
  int cores = 0;
  int processing_units = 0;
  std::vector<Nic> nics;
  friend bool operator==(const NodeParts&, const NodeParts&) = default;

  // How many devices the NICs are.
  [[nodiscard]] int nic_devices() const;
};

// Throws BadDescription. `file` is for messages only.
[[nodiscard]] NodeParts node_from_hwloc(const std::string& text, const std::string& file);

// With the rates of its links. Throws std::runtime_error where hwloc fails.
[[nodiscard]] NodeParts this_node();

}  // namespace espalier
