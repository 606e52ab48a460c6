// SPDX-License-Identifier: Apache-2.0
// How long a schedule takes on a network: any schedule, any network. An estimate: it knows links, hops and the order of
// operations, but neither arithmetic nor how protocols share a link.
//
// A message begins when both sides have posted it and keeps its sender busy for the network's hop_seconds; then it
// takes each link of its way (the lane of it that is free first) for as long as its bytes need there, in the order in
// which messages come (what the link lets pass at once after a rest takes no time), and its head goes on at once. No
// link has rested when all begin, for calls follow one another. For trees that share no link this is equation 3 of
// paper 1.
#pragma once

#include <span>

#include "schedule/layout.hpp"
#include "topology/network.hpp"

namespace espalier {

// How a message is laid out; see Layout.
struct Payload {
  std::size_t elements = 0;
  std::size_t element_bytes = 1;
  int segments = 1;
  int window = 1;
  std::size_t granule = 1;
};

// Until the last rank has finished, all having begun together; seconds. `ranks`: the schedules of all of them. The
// network's nodes are joined. Throws std::logic_error where ranks wait for each other for ever.
[[nodiscard]] double running_time(std::span<const Schedule> ranks, const Payload& payload, const Network& network);

}  // namespace espalier
