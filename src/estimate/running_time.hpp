// SPDX-License-Identifier: Apache-2.0
// How long a schedule takes on a network: any schedule, any network. An estimate: it knows links, hops, arithmetic and
// the order of operations, but not how protocols share a link.
//
// A rank's processor does one thing at a time. A message begins when both sides have posted it and its sender's
// processor is free, which it keeps busy for the network's hop_seconds; of several the one that was posted first. Then
// it takes each link of its route (the lane of it that is free first) for as long as its bytes need there, in the order
// in which messages arrive (what the link lets pass at once after a rest takes no time), and its head goes on at once.
// No link has rested when all begin, for calls follow one another. Reductions are done while no message is to be sent.
// For trees that share no link these are equations 3 and 4 of paper 1.
#pragma once

#include <span>
#include <vector>

#include "estimate/routes.hpp"
#include "play/channels.hpp"
#include "play/simulated_message.hpp"
#include "topology/network.hpp"

namespace espalier {

// The schedules of all ranks on a network whose nodes are joined, for any number of messages. Both must outlive this.
class Simulation {
 public:
  Simulation(std::span<const Schedule> ranks, const Network& network);

  // Until the last rank has finished, all having begun together. Throws std::logic_error where ranks wait for each
  // other permanently.
  [[nodiscard]] double seconds(const SimulatedMessage& message);

  // No long pipeline takes less for one more segment of each block: its bytes over the busiest link, or through the
  // busiest processor, or as many of them as the window holds over the longest delay.
  [[nodiscard]] double min_seconds_per_segment(const SimulatedMessage& message) const;

  // That all ranks send, where each block is in this many segments: what seconds() costs goes by this.
  [[nodiscard]] std::size_t messages(int segments) const;

 private:
  class LinkQueues;

  // Seconds for one segment of each block.
  struct Load {
    std::vector<double> of_link;
    double longest = 0;  // of processors and windows
  };

  [[nodiscard]] const Route* route_between(Rank sender, Rank receiver);
  void add_load(std::size_t rank, const SimulatedMessage& message, Load& load) const;
  void add_load(const Route& route, int items, double bytes, int window, Load& load) const;

  std::span<const Schedule> ranks_;
  const Network& network_;
  Routes routes_;
  PlayedChannels channels_;
  std::vector<const Route*> route_of_;  // by channel; null: within a node
};

// Seconds, as Simulation has them.
[[nodiscard]] double running_time(std::span<const Schedule> ranks, const SimulatedMessage& message,
                                  const Network& network);

}  // namespace espalier
