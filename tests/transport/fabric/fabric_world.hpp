// SPDX-License-Identifier: Apache-2.0
// Several processes' ends of the fabric in this process, joined by the loopback: the real libfabric, over real sockets.
#pragma once

#include <memory>
#include <numeric>
#include <vector>

#include "engine/bound.hpp"
#include "transport/fabric/fabric.hpp"
#include "transport/fabric/fabric_port.hpp"

namespace espalier::fabric_world {

// Addresses of the loopback are as good as NICs.
inline std::vector<FabricNic> nics(int count) {
  std::vector<FabricNic> result;
  for (int k = 0; k < count; ++k) result.push_back({"lo", "127.0.0." + std::to_string(k + 1)});
  return result;
}

class World {
 public:
  World(Rank size, int lanes, int links_per_lane = 1)
      : World(std::vector<int>(static_cast<std::size_t>(size), lanes), links_per_lane) {}
  // `lanes`: of each rank.
  explicit World(const std::vector<int>& lanes, int links_per_lane = 1, double nic_bytes_per_second = 0) {
    const auto size = static_cast<Rank>(lanes.size());
    std::vector<int> everybody(static_cast<std::size_t>(size));
    std::iota(everybody.begin(), everybody.end(), 0);
    ranks_ = WorldRanks(everybody);
    std::vector<AddressRecord> address_records;
    for (Rank rank = 0; rank < size; ++rank) {
      Fabric::Options options;
      options.nics = nics(lanes[static_cast<std::size_t>(rank)]);
      options.me = rank;
      options.nic_bytes_per_second = nic_bytes_per_second;
      fabrics_.push_back(std::make_unique<Fabric>(std::move(options)));
      address_records.push_back(fabrics_.back()->address_record());
    }
    for (const auto& fabric : fabrics_) {
      fabric->meet(address_records);
      fabric->set_distances({lanes.size(), Distance{.links = links_per_lane}});
    }
  }
  [[nodiscard]] Fabric& operator[](Rank rank) { return *fabrics_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] FabricPort::Group group() const { return {ranks_, context_}; }

 private:
  int context_ = 7;
  WorldRanks ranks_;
  std::vector<std::unique_ptr<Fabric>> fabrics_;
};

struct BoundRank {
  BoundRank(World& world, Rank rank, Schedule schedule, const Partition& partition, int window, const Elements& how)
      : port(world[rank], world.group()), bound(std::move(schedule), partition, window, how, port) {}
  FabricPort port;
  BoundSchedule<FabricPort> bound;
};

}  // namespace espalier::fabric_world
