// SPDX-License-Identifier: Apache-2.0
// Which links a message takes from one node to another.
//
// Where nodes are neighbours, these are the network's arcs: a shortest route, and among several the one by the first
// arc of each node, which on a lattice is along the first axis, then the next. Engines of a node, if there are fewer
// than links, are one link more at either end. Where nodes meet in switches, a node has one link out and one in, with a
// lane for each NIC that is used. So has the WAN between two sites that follow one another.
#pragma once

#include <map>
#include <vector>

#include "topology/network.hpp"

namespace espalier {

struct Route {
  std::vector<int> links;  // in order
  double delay = 0;        // of a WAN, seconds
};

class Routes {
 public:
  // The network must outlive this; its nodes are joined (is_connected(), or there are sites).
  explicit Routes(const Network& network);

  // Of each lane of each link, in each direction.
  [[nodiscard]] const std::vector<double>& bytes_per_second() const { return bytes_per_second_; }
  // Side by side in each link: a message takes one.
  [[nodiscard]] int lanes() const { return network_.nics_used(); }
  // Nodes that differ. Kept.
  [[nodiscard]] const Route& between(int from, int to);

 private:
  [[nodiscard]] Route over_arcs(int from, int to);
  [[nodiscard]] Route over_switches(int from, int to) const;
  [[nodiscard]] const std::vector<int>& hops_to(int node);

  const Network& network_;
  std::vector<double> bytes_per_second_;
  std::vector<std::vector<int>> arcs_from_, arcs_to_;  // of each node
  std::vector<int> site_of_;
  std::map<int, std::vector<int>> hops_;  // to such a node, from each
  std::map<std::pair<int, int>, Route> routes_;
};

}  // namespace espalier
