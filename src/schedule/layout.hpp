// SPDX-License-Identifier: Apache-2.0
// The one function that maps blocks, segments and scratch slots to elements. Engine and verifier share it.
#pragma once

#include <vector>

#include "schedule/schedule.hpp"

namespace espalier {

// A stretch of elements: of the input, of the output, or of the scratch memory.
struct Extent {
  std::size_t offset = 0;
  std::size_t length = 0;
};

class Layout {
 public:
  // `granule`: blocks and segments begin at multiples of so many elements where the message is large enough for it
  // (cache lines). All arguments but `window` must be equal on all ranks.
  Layout(const Schedule& schedule, std::size_t elements, int segments, int window, std::size_t granule = 1);

  [[nodiscard]] int segments() const { return segments_; }
  [[nodiscard]] int window() const { return window_; }
  [[nodiscard]] std::size_t scratch_elements() const { return scratch_elements_; }

  // Where item `item` of `op` lies in `region` (one of op's own regions).
  [[nodiscard]] Extent extent(const Operation& op, const Region& region, int item) const;

 private:
  [[nodiscard]] std::size_t block_offset(std::int64_t label) const;
  [[nodiscard]] std::size_t cut(std::size_t elements, int part, int parts) const;
  [[nodiscard]] std::size_t packed_offset(const Region& region, int k) const;

  std::size_t elements_, granule_;
  int blocks_, segments_, window_;
  std::size_t largest_block_ = 0, largest_segment_ = 0, scratch_elements_ = 0;
  std::vector<Area> areas_;
  std::vector<std::size_t> area_offset_;
};

// How many segments a block of a message of `bytes` bytes in `blocks` blocks needs so that none exceeds `segment_bytes`
// by more than rounding; 1 for segment_bytes == 0.
[[nodiscard]] int segments_for(std::size_t bytes, int blocks, std::size_t segment_bytes);

}  // namespace espalier
