// SPDX-License-Identifier: Apache-2.0
#include "transport/fabric/protocol/link_set.hpp"

#include <algorithm>
#include <tuple>

#include "transport/fabric/protocol/gateway.hpp"
#include "transport/fabric/protocol/lane_set.hpp"

namespace espalier {

void LinkSet::open(Gateway& gateway, Peer& peer, LaneSet lanes, const Distance& distance) {
  for (int lane = 0; lane < max_lanes; ++lane) {
    if (!has_lane(lanes, lane)) continue;
    for (int k = 0; k < distance.links; ++k) {
      std::unique_ptr<Link> link = gateway.open_link(lane, peer, distance.bytes_under_way);
      if (!link) break;
      links_.push_back(std::move(link));
    }
  }
}

void LinkSet::offer(const Gateway& gateway, Handshake& handshake) const {
  for (const auto& link : links_) {
    Handshake::Endpoint& endpoint = handshake.endpoints[handshake.endpoint_count++];
    endpoint.lane = static_cast<std::uint8_t>(link->lane().number());
    std::tie(endpoint.key, endpoint.base) = gateway.anchor(link->lane().number());
    endpoint.name = link->name();
  }
}

LaneSet LinkSet::join(const Handshake& theirs) {
  Links joined;
  std::size_t next = 0;
  LaneSet lanes = 0;
  for (auto& link : links_) {
    const int lane = link->lane().number();
    while (next < theirs.endpoint_count && theirs.endpoints[next].lane < lane) ++next;
    if (next == theirs.endpoint_count || theirs.endpoints[next].lane != lane) continue;
    if (!link->connect(theirs.endpoints[next++])) continue;
    lanes |= bit_of(lane);
    joined.push_back(std::move(link));
  }
  links_ = std::move(joined);
  return lanes;
}

// What arrives meanwhile was in time.
void LinkSet::close(Gateway& gateway) {
  end_connections(gateway);
  for (const auto& link : links_) link->close();
  gateway.drain();
}

void LinkSet::end_connections(Gateway& gateway) {
  constexpr int max_rounds = 16;
  const auto end = [](const auto& link) { return link->end_connections(); };
  for (int round = 0; round < max_rounds && std::ranges::count_if(links_, end) > 0; ++round) gateway.drain();
}

const LaneLoad* LinkSet::lane(int number) const {
  const auto found = std::ranges::find_if(links_, [&](const auto& link) { return link->lane().number() == number; });
  return found != links_.end() ? &(*found)->lane() : nullptr;
}

}  // namespace espalier
