// SPDX-License-Identifier: Apache-2.0
#include "simulate/wire_routes.hpp"

#include <algorithm>
#include <limits>

namespace espalier {

namespace {

// Which links messages of several nodes use.
class LinkUse {
 public:
  explicit LinkUse(std::size_t links) : user_(links, no_node), is_shared_(links) {}

  void add(int from, std::span<const int> links) {
    for (const int link : links) {
      int& first = user_[static_cast<std::size_t>(link)];
      if (first != no_node && first != from) is_shared_[static_cast<std::size_t>(link)] = 1;
      first = from;
    }
  }
  [[nodiscard]] bool is_alone(std::span<const int> links) const {
    return std::ranges::none_of(links, [&](int link) { return is_shared_[static_cast<std::size_t>(link)] != 0; });
  }

 private:
  std::vector<int> user_;
  std::vector<char> is_shared_;
};

}  // namespace

WireRoutes::WireRoutes(const Wiring& wiring, const SimulatedNodes& nodes, std::span<const PlayedChannel> channels)
    : ports_(wiring.ports()), routes_(channels.size() * static_cast<std::size_t>(ports_)) {
  LinkUse use(wiring.links().size());
  std::vector<int> links;
  const auto for_each = [&](auto found) {
    for (std::size_t k = 0; k < routes_.size(); ++k) {
      const auto [sender, receiver] = channels[k / static_cast<std::size_t>(ports_)];
      WireRoute& route = routes_[k];
      route.from = nodes.node_of[static_cast<std::size_t>(sender)];
      route.to = nodes.node_of[static_cast<std::size_t>(receiver)];
      if (route.from == route.to) continue;
      const int port = static_cast<int>(k) % ports_;
      links.clear();
      wiring.route(route.from, port, route.to, port, links);
      found(route);
    }
  };
  for_each([&](const WireRoute& route) { use.add(route.from, links); });
  for_each([&](WireRoute& route) {
    route.first_link = links.front();
    route.is_alone = use.is_alone(links);
    route.delay = wiring.delay(links) + nodes.arrival_seconds;
    route.bytes_per_second =
        nodes.put_bytes_per_second > 0 ? nodes.put_bytes_per_second : std::numeric_limits<double>::infinity();
    for (const int link : links)
      route.bytes_per_second = std::min(route.bytes_per_second, wiring.links()[static_cast<std::size_t>(link)]);
  });
}

bool WireRoutes::all_are_alone() const {
  return std::ranges::all_of(routes_, [](const WireRoute& route) { return route.from == route.to || route.is_alone; });
}

void WireRoutes::share_all() {
  for (WireRoute& route : routes_) route.is_alone = false;
}

}  // namespace espalier
