// SPDX-License-Identifier: Apache-2.0
#include "verify/cells.hpp"

namespace espalier::proof {

Cells::Cells(const Schedule& schedule, int segments, int window)
    : blocks_(schedule.blocks), segments_(segments), window_(window), size_(2 * blocks_ * segments_) {
  for (const Area& area : schedule.areas) {
    const bool is_ring = area.kind == Area::Kind::ring;
    areas_.push_back({size_, is_ring});
    size_ += is_ring ? window_ : area.blocks * segments_;
  }
}

}  // namespace espalier::proof
