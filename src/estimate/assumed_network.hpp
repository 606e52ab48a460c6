// SPDX-License-Identifier: Apache-2.0
// On what network choices are played through to be compared: the communicator's own, or where that is not known, or too
// large, a small one on a switch. What the assumed speeds are hardly matters: from shared memory to Ethernet a message
// takes about as long as a few KiB more in the one before.
#pragma once

#include <memory>

#include "core/problem.hpp"

namespace espalier {

inline constexpr Rank max_assumed_ranks = 8;

class PlayedNetwork {
 public:
  explicit PlayedNetwork(const Shape& shape);
  ~PlayedNetwork();

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] bool is_assumed() const { return assumed_ != nullptr; }

 private:
  std::unique_ptr<const Network> assumed_;  // null: the communicator's own is played
  Shape shape_;
};

}  // namespace espalier
