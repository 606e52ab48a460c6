// SPDX-License-Identifier: Apache-2.0
#include "estimate/assumed_network.hpp"

#include <algorithm>
#include <numeric>

#include "estimate/estimate.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

constexpr Rank max_ranks = 8;
constexpr double hop_seconds = 1e-6, bytes_per_second = 8e9;

std::unique_ptr<const Network> switched_network(Rank ranks) {
  Machine machine;
  machine.nodes.resize(static_cast<std::size_t>(ranks));
  machine.nic_bytes_per_second = bytes_per_second;
  machine.hop_seconds = hop_seconds;
  std::vector<int> node_of(machine.nodes.size());
  std::iota(node_of.begin(), node_of.end(), 0);
  return std::make_unique<const Network>(machine, node_of);
}

}  // namespace

PlayedNetwork::PlayedNetwork(const Shape& shape) : shape_(shape) {
  if (can_be_estimated(shape)) return;
  shape_.size = std::min(shape.size, max_ranks);
  assumed_ = switched_network(shape_.size);
  shape_.network = assumed_.get();
}

PlayedNetwork::~PlayedNetwork() = default;

}  // namespace espalier
