// SPDX-License-Identifier: Apache-2.0
#include "estimate/assumed_network.hpp"

#include <algorithm>

#include "estimate/estimate.hpp"
#include "topology/network.hpp"

namespace espalier {

namespace {

// Where it is known that ranks share nodes.
constexpr int max_shared_nodes = 8;
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

}  // namespace

PlayedNetworks::PlayedNetworks(const Shape& shape) {
  if (can_be_estimated(shape)) {
    shapes_.push_back(shape);
    return;
  }
  const bool has_levels = shape.by_node != nullptr && shape.by_node->has_levels();
  const int nodes = has_levels ? shape.by_node->nodes() : shape.size;
  const int largest = has_levels ? max_shared_nodes : max_assumed_nodes;
  const Rank ranks_per_node = has_levels ? std::clamp(shape.by_node->fewest_ranks(), 2, max_ranks_per_node) : 1;
  if (nodes <= largest) {
    assume(shape, nodes, ranks_per_node);
    return;
  }
  for (const int part : {4, 2, 1}) assume(shape, largest / part, ranks_per_node);
  times_larger_ = static_cast<double>(nodes) / largest;
}

PlayedNetworks::~PlayedNetworks() = default;

void PlayedNetworks::assume(const Shape& shape, int nodes, Rank ranks_per_node) {
  assumed_.push_back(switched_network(nodes, ranks_per_node));
  Shape& played = shapes_.emplace_back(shape);
  played.network = assumed_.back().get();
  played.size = nodes * ranks_per_node;
}

}  // namespace espalier
