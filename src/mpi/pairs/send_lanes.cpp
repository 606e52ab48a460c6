// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/send_lanes.hpp"

#include <map>

#include "mpi/neighbours/routes.hpp"

namespace espalier {

namespace {

// This rank is the first node; others are numbered as they come up.
NumberedPuts puts_of(std::span<const SendSize> sends) {
  NumberedPuts puts;
  std::map<Rank, int> nodes;
  for (int place = 0; const SendSize& send : sends) {
    const int node = nodes.try_emplace(send.to, static_cast<int>(nodes.size()) + 1).first->second;
    puts.add({.from = 0, .to = node, .bytes = send.bytes, .is_diagonal = send.is_diagonal, .links = {}}, place++);
  }
  puts.exchange.nodes = static_cast<int>(nodes.size()) + 1;
  return puts;
}

}  // namespace

std::vector<SendLane> lanes_of_sends(std::span<const SendSize> sends, std::string_view packer,
                                     const halo::Engines& nics) {
  HaloRoutes routes;
  (void)share_out(puts_of(sends), packer, nics, static_cast<int>(sends.size()), routes);
  std::vector<SendLane> lanes(sends.size());
  for (int turn = 0; const int place : routes.order) {
    const auto k = static_cast<std::size_t>(place);
    lanes[k] = {.path = routes.to[k], .turn = turn++};
  }
  return lanes;
}

}  // namespace espalier
