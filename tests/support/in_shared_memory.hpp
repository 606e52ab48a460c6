// SPDX-License-Identifier: Apache-2.0
// All ranks of a test in this process, as if each were one of a node: ports over memory that they share.
#pragma once

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "shared_bytes.hpp"
#include "transport/shm/shm_port.hpp"

namespace espalier {

class SharedNode {
 public:
  SharedNode(std::uint64_t, std::size_t ranks, const ShmPeer::ShmLimits& limits = small)
      : memory_(ShmNode::bytes_for(static_cast<int>(ranks), spare_rings)), processes_(numbered(ranks)) {
    for (const int me : numbered(ranks)) {
      nodes_.push_back(std::make_unique<ShmNode>(ShmNode::NodePlace{
          .base = memory_.data(), .processes = static_cast<int>(ranks), .spare_rings = spare_rings, .me = me}));
    }
    for (const auto& node : nodes_) node->meet(limits);
  }

  [[nodiscard]] ShmNode& node(Rank rank) { return *nodes_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] ShmPort::ShmGroup group() const { return {world_ranks_, processes_}; }

  // As at_once::run() asks a world.
  [[nodiscard]] static std::string error() { return {}; }
  [[nodiscard]] static int landed_early() { return 0; }
  [[nodiscard]] static int lent() { return 0; }

 private:
  // So that tests with short messages have all kinds of them.
  static constexpr ShmPeer::ShmLimits small{
      .short_bytes = 64, .of_long = {.piece_bytes = 128, .sliced_bytes = 1024, .max_slice_bytes = 400}};
  static constexpr std::uint32_t spare_rings = 4;

  [[nodiscard]] static std::vector<Rank> numbered(std::size_t ranks) {
    std::vector<Rank> numbers(ranks);
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
  }

  SharedBytes memory_;
  WorldRanks world_ranks_;
  RanksInNode processes_;
  std::vector<std::unique_ptr<ShmNode>> nodes_;
};

class InSharedMemory {
 public:
  using World = SharedNode;
  InSharedMemory(SharedNode& node, Rank rank) : port_(node.node(rank), node.group()) {}
  [[nodiscard]] ShmPort& port() { return port_; }

 private:
  ShmPort port_;
};

}  // namespace espalier
