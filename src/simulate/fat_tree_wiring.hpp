// SPDX-License-Identifier: Apache-2.0
// Nodes on leaf switches, each of which has some uplinks. Between leaves a message goes up, and down again, by the
// uplink whose number is that of the node it is sent to, modulo how many there are. (Paper 5: RICC.)
#pragma once

#include "simulate/wiring.hpp"

namespace espalier {

class FatTreeWiring : public Wiring {
 public:
  explicit FatTreeWiring(const Machine& machine);
  void route(int from, int from_port, int to, int to_port, std::vector<int>& links) const override;

  [[nodiscard]] int leaf_of(int node) const;
  // The link up from a leaf; the one down comes next.
  [[nodiscard]] int uplink(int leaf, int number) const { return 2 * (nodes() + leaf * tree_.uplinks + number); }

 private:
  FatTree tree_;
};

}  // namespace espalier
