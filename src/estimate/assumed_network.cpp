// SPDX-License-Identifier: Apache-2.0
#include "estimate/assumed_network.hpp"

#include <algorithm>

#include "estimate/estimate.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

// Where it is known that ranks share nodes.
constexpr int max_nodes = 4;
constexpr Rank max_ranks_per_node = 4;
constexpr double hop_seconds = 1e-6, bytes_per_second = 8e9;

std::unique_ptr<const Network> switched_network(int nodes, Rank ranks_per_node) {
  Machine machine;
  machine.nodes.resize(static_cast<std::size_t>(nodes));
  machine.nic_bytes_per_second = bytes_per_second;
  machine.hop_seconds = hop_seconds;
  std::vector<int> node_of;
  for (int node = 0; node < nodes; ++node)
    node_of.insert(node_of.end(), static_cast<std::size_t>(ranks_per_node), node);
  return std::make_unique<const Network>(machine, node_of);
}

std::unique_ptr<const Network> network_like(const Shape& shape) {
  if (shape.by_node == nullptr || !shape.by_node->has_levels())
    return switched_network(std::min(shape.size, max_assumed_ranks), 1);
  return switched_network(std::min(shape.by_node->nodes(), max_nodes),
                          std::clamp(shape.by_node->fewest_ranks(), 2, max_ranks_per_node));
}

}  // namespace

PlayedNetwork::PlayedNetwork(const Shape& shape) : shape_(shape) {
  if (can_be_estimated(shape)) return;
  assumed_ = network_like(shape);
  shape_.network = assumed_.get();
  shape_.size = 0;
  for (int node = 0; node < assumed_->nodes(); ++node) shape_.size += std::ssize(assumed_->ranks_on(node));
}

PlayedNetwork::~PlayedNetwork() = default;

}  // namespace espalier
