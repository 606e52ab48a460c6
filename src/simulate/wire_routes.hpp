// SPDX-License-Identifier: Apache-2.0
// What a run knows of the route between two ranks: looked up for each message, so found once for each channel.
#pragma once

#include "play/channels.hpp"
#include "simulate/wiring/wiring.hpp"

namespace espalier {

// Where ranks sit, and what nodes have.
struct SimulatedNodes {
  std::vector<int> node_of;         // by rank
  int engines = 0;                  // messages that a node sends, and receives, at a time; 0: any number
  double put_bytes_per_second = 0;  // of one engine; 0: as much as the links
  double arrival_seconds = 0;       // until a rank knows that a message has arrived
};

struct WireRoute {
  int from = 0, to = 0;  // nodes
  int first_link = 0;
  bool is_alone = false;        // only messages of its node use its links
  double bytes_per_second = 0;  // of a message that shares no link
  double delay = 0;
};

class WireRoutes {
 public:
  WireRoutes(const Wiring& wiring, const SimulatedNodes& nodes, std::span<const PlayedChannel> channels);

  [[nodiscard]] bool stays_within(std::uint32_t channel) const {
    const WireRoute& route = between(channel, 0);
    return route.from == route.to;
  }
  // From a port of the sender's node to the one of the same number of the receiver's.
  [[nodiscard]] const WireRoute& between(std::uint32_t channel, int port) const {
    return routes_[channel * static_cast<std::size_t>(ports_) + static_cast<std::size_t>(port)];
  }
  [[nodiscard]] bool all_are_alone() const;
  // Takes none for alone.
  void share_all();

 private:
  int ports_;
  std::vector<WireRoute> routes_;  // by channel and port
};

}  // namespace espalier
