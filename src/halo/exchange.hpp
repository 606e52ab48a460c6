// SPDX-License-Identifier: Apache-2.0
// An exchange of halos: puts that are all known before any of them begins. (Paper 3.)
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace espalier::halo {

// A write into another node's memory.
struct Put {
  int from = 0, to = 0;  // nodes
  std::size_t bytes = 0;
  int direction = 0;         // in which it leaves its node: puts of one direction share a link
  bool is_diagonal = false;  // to a neighbour that no link leads to
  std::vector<int> links;    // that it travels, each in one direction; empty: nothing but engines is known to limit it
};

// Where all nodes do the same, one of them stands for all: its puts then go from node 0 to node 0.
struct Exchange {
  int nodes = 1;
  int links = 0;  // numbered from 0
  std::vector<Put> puts;
  std::vector<std::string> directions;  // their names, for pictures
};

// What carries out puts, one at a time: RDMA engines, or NICs. Each node has as many for sending as for receiving.
struct Engines {
  static constexpr double default_rate = 1;

  int count = 4;
  std::vector<double> rates;  // bytes in a unit of time, of each; empty: 1, so that times are counted in bytes
  double stagger = 0;         // engine j cannot begin before (j + 1) times that: their queues are filled in turn
  bool are_rails = false;     // the k-th engine of a node reaches only the k-th of another one

  [[nodiscard]] double rate(int engine) const {
    return rates.empty() ? default_rate : rates[static_cast<std::size_t>(engine)];
  }
  [[nodiscard]] double first_begin(int engine) const { return stagger * (engine + 1); }
  // Of a put between two engines, if nothing else limits it.
  [[nodiscard]] double time_for(const Put& put, int source, int target) const {
    return static_cast<double>(put.bytes) / (rate(source) < rate(target) ? rate(source) : rate(target));
  }
};

}  // namespace espalier::halo
