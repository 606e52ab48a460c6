// SPDX-License-Identifier: Apache-2.0
#include "link_loads.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>

#include "schedule/layout.hpp"

namespace espalier {

namespace {

struct Carried {
  std::size_t blocks = 0, elements = 0;
};
using CarriedStreams = std::map<std::tuple<Rank, Rank, Channel>, Carried>;

CarriedStreams find_streams(std::span<const Schedule> ranks, std::size_t elements) {
  CarriedStreams streams;
  const Partition partition({.blocks = ranks.front().blocks, .elements = elements});
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Layout layout(ranks[rank], partition, 1);
    for (std::uint32_t k = 0; k < ranks[rank].operations.size(); ++k) {
      const Operation& op = ranks[rank].operations[k];
      for (int item = 0; op.kind == Operation::Kind::send && item < layout.items().count(k); ++item) {
        Carried& stream = streams[{static_cast<Rank>(rank), op.peer(layout.block_of(k, item)), op.channel}];
        stream.blocks += static_cast<std::size_t>(op.merged ? op.source.blocks : 1);
        stream.elements += layout.extent(k, op.source, item).length;
      }
    }
  }
  return streams;
}

}  // namespace

LinkLoad count_links(std::span<const Schedule> ranks, const Routing& routing, std::size_t elements) {
  std::map<DirectedLink, LinkLoad::Use> uses;
  for (const auto& [channel, stream] : find_streams(ranks, elements)) {
    for (const DirectedLink link : routing(std::get<0>(channel), std::get<1>(channel))) {
      LinkLoad::Use& use = uses[link];
      use.link = link;
      ++use.streams;
      use.blocks += stream.blocks;
      use.elements += stream.elements;
    }
  }
  LinkLoad load;
  for (const auto& [link, use] : uses) load.links.push_back(use);
  return load;
}

std::size_t LinkLoad::contention() const {
  std::size_t most = 0;
  for (const Use& use : links) most = std::max(most, use.streams);
  return most;
}

std::size_t LinkLoad::max_elements() const {
  std::size_t most = 0;
  for (const Use& use : links) most = std::max(most, use.elements);
  return most;
}

Routing arc_routing(const Network& network) {
  std::map<std::pair<int, int>, DirectedLink> numbers;
  for (DirectedLink number = 0; number < network.arcs().size(); ++number) {
    numbers[{network.arcs()[number].from, network.arcs()[number].to}] = number;
  }
  return [&network, numbers = std::move(numbers)](Rank from, Rank to) -> std::vector<DirectedLink> {
    if (network.node_of(from) == network.node_of(to)) return {};
    const auto found = numbers.find({network.node_of(from), network.node_of(to)});
    if (found == numbers.end()) throw std::logic_error("a message to a node that is no neighbour");
    return {found->second};
  };
}

Routing crossbar_routing() {
  return [](Rank from, Rank to) {
    return std::vector<DirectedLink>{2 * static_cast<DirectedLink>(from), 2 * static_cast<DirectedLink>(to) + 1};
  };
}

Routing ring_routing(Rank size) {
  return [size](Rank from, Rank to) {
    std::vector<DirectedLink> links;
    const int up = wrap(std::int64_t{to} - from, size), down = wrap(std::int64_t{from} - to, size);
    const bool goes_up = up <= down;
    for (int hop = 0; hop < std::min(up, down); ++hop) {
      const auto at = static_cast<DirectedLink>(wrap(std::int64_t{from} + (goes_up ? hop : -hop), size));
      links.push_back(2 * at + (goes_up ? 0 : 1));
    }
    return links;
  };
}

}  // namespace espalier
