// SPDX-License-Identifier: Apache-2.0
// On what networks choices are played through to be compared: the communicator's own, or where that is not known, or
// too large, a small one on a switch, or a few that grow. What the assumed speeds are hardly matters: from shared
// memory to Ethernet a message takes about as long as a few KiB more in the one before.
#pragma once

#include <memory>
#include <vector>

#include "core/problem.hpp"

namespace espalier {

// Of those that are played where the network is not known.
inline constexpr int max_assumed_nodes = 16;

class PlayedNetworks {
 public:
  explicit PlayedNetworks(const Shape& shape);
  ~PlayedNetworks();

  // One, or where it would have to be larger than these three, each of twice the size of the one before.
  [[nodiscard]] const std::vector<Shape>& shapes() const { return shapes_; }
  // By how much the communicator is larger than the last one.
  [[nodiscard]] double times_larger() const { return times_larger_; }
  [[nodiscard]] bool is_assumed() const { return !assumed_.empty(); }

 private:
  void assume(const Shape& shape, int nodes, Rank ranks_per_node);

  std::vector<std::unique_ptr<const Network>> assumed_;  // none: the communicator's own is played
  std::vector<Shape> shapes_;
  double times_larger_ = 1;
};

}  // namespace espalier
