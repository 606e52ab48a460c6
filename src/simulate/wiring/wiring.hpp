// SPDX-License-Identifier: Apache-2.0
// The links of a machine, and which of them a message takes: computed for each, as no machine of 80,000 nodes could
// keep its routes.
//
// A node has one or several ports: NICs where nodes meet in switches, otherwise one for all of its links. Links are
// numbered from 0; each has one direction.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "topology/machine.hpp"

namespace espalier {

class Wiring {
 public:
  Wiring(const Wiring&) = delete;
  Wiring& operator=(const Wiring&) = delete;
  virtual ~Wiring() = default;

  [[nodiscard]] int nodes() const { return nodes_; }
  [[nodiscard]] int ports() const { return ports_; }  // of each node
  // Bytes per second of each link.
  [[nodiscard]] std::span<const double> links() const { return links_; }

  // The links from a port of a node to one of another node, in order, appended to `links`.
  virtual void route(int from, int from_port, int to, int to_port, std::vector<int>& links) const = 0;
  // What they delay a message, over what its bytes take.
  [[nodiscard]] virtual double delay(std::span<const int> links) const {
    return static_cast<double>(links.size()) * link_seconds_;
  }

 protected:
  Wiring(int nodes, int ports, double link_seconds) : nodes_(nodes), ports_(ports), link_seconds_(link_seconds) {}

  std::vector<double> links_;

 private:
  int nodes_, ports_;
  double link_seconds_;
};

// Throws std::invalid_argument where some node cannot be reached from another. The machine must outlive it.
[[nodiscard]] std::unique_ptr<const Wiring> wiring_of(const Machine& machine);

}  // namespace espalier
