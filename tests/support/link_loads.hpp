// SPDX-License-Identifier: Apache-2.0
// How many streams meet on each link of a network, and how much they carry.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"
#include "topology/network.hpp"

namespace espalier {

// One direction of a link. What the numbers mean is up to the routing.
using DirectedLink = std::uint32_t;

// The links that a message from one rank to another passes, in order.
using Routing = std::function<std::vector<DirectedLink>(Rank from, Rank to)>;

struct LinkLoad {
  struct Use {
    DirectedLink link = 0;
    std::size_t streams = 0;   // channels (sender, receiver, number) that pass here
    std::size_t blocks = 0;    // that they carry, all together
    std::size_t elements = 0;  // likewise
  };
  std::vector<Use> links;  // those that are used at all, by number

  // The most streams on one link: 1 means that all of them have links of their own.
  [[nodiscard]] std::size_t contention() const;
  [[nodiscard]] std::size_t max_elements() const;
};

// `elements`: of the whole message. The time of a long message is bound from below by max_elements().
[[nodiscard]] LinkLoad count_links(std::span<const Schedule> ranks, const Routing& routing, std::size_t elements);

// The arcs between neighbours of a network, by number; nothing inside a node. Throws std::logic_error where two ranks
// are on nodes that are no neighbours. The network must outlive it.
[[nodiscard]] Routing arc_routing(const Network& network);

// Every rank has one link out and one link in, and nothing else is ever short: 2 * rank, 2 * rank + 1.
[[nodiscard]] Routing crossbar_routing();
// Ranks in a cycle, the shorter direction round: the links up, rank -> rank + 1, are 2 * rank, those down 2 * rank + 1.
[[nodiscard]] Routing ring_routing(Rank size);

}  // namespace espalier
