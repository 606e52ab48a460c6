// SPDX-License-Identifier: Apache-2.0
// The message of a collective that is played.
#pragma once

#include "schedule/partition.hpp"

namespace espalier {

// Even blocks.
struct SimulatedMessage {
  Partition partition;
  std::size_t element_bytes = 1;
  int window = 1;
};

}  // namespace espalier
