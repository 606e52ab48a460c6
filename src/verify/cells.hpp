// SPDX-License-Identifier: Apache-2.0
// The memory of one rank as the verifier sees it: a cell for each segment of each block of input and output, for each
// segment of each slot of a scratch area, and for each slot of a ring.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/schedule.hpp"

namespace espalier::proof {

// Cells first, first + 1, ...
struct CellRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  [[nodiscard]] bool meets(const CellRange& other) const {
    return first < other.first + other.count && other.first < first + count;
  }
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

class Cells {
 public:
  Cells(const Schedule& schedule, int segments, int window);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t input(int block, int segment) const { return block * segments_ + segment; }
  [[nodiscard]] std::uint32_t output(int block, int segment) const { return (blocks_ + block) * segments_ + segment; }

  // What item `item` of `op` touches in `region`, one of op's own.
  [[nodiscard]] CellRange of(const Operation& op, const Region& region, int item) const;

 private:
  struct AreaCells {
    std::uint32_t first = 0;
    bool is_ring = false;
  };
  std::uint32_t blocks_, segments_, window_;
  std::uint32_t size_ = 0;
  std::vector<AreaCells> areas_;
};

inline CellRange Cells::of(const Operation& op, const Region& region, int item) const {
  std::uint32_t first = region.buffer == Buffer::output ? blocks_ * segments_ : 0;
  if (region.buffer == Buffer::scratch) {
    const AreaCells& area = areas_[region.area];
    if (area.is_ring) return {area.first + item % window_, 1};
    first = area.first;
  }
  if (op.merged) return {first + region.place.at(0) * segments_, region.blocks * segments_};
  const int k = item / static_cast<int>(segments_);
  return {first + region.place.at(k) * segments_ + item % segments_, 1};
}

}  // namespace espalier::proof
