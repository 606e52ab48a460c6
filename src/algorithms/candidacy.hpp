// SPDX-License-Identifier: Apache-2.0
// What an algorithm says of itself so that it may be chosen without being forced: when, and how long it takes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/types.hpp"

namespace espalier {

class Network;  // topology/network.hpp

// Trees along which segments flow.
struct Pipeline {
  int trees = 1;  // among which the message is divided
  int height = 0;
  int passes = 1;          // messages of each node for each segment: up and down are two
  int streams = 1;         // that share a link in one direction
  bool in_phases = false;  // first up, and when all is at the root, down
};

enum class NetworkKind : std::uint8_t {
  torus,     // the nodes are a torus, all axes of which are rings of three or more
  switches,  // any node reaches any other one over its NICs
  graph,     // other links between the nodes
};

// One of those among which an estimate chooses on networks of a kind.
struct Contender {
  NetworkKind on = NetworkKind::switches;
  int preference = 0;  // of those that take about as long, the one with most is chosen
};

// Where no estimate is to be had. It is for large messages only: below them start-up costs decide, and there the native
// MPI knows its machine better than a rule can.
struct FixedRule {
  Rank min_ranks = 0;
  std::size_t min_bytes = 0;
  const char* reason = "";  // static text, for reports
};

}  // namespace espalier
