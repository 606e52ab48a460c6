// SPDX-License-Identifier: Apache-2.0
// The one function that maps blocks, segments and scratch slots to elements. Engine and verifier share it.
#pragma once

#include <vector>

#include "schedule/items.hpp"

namespace espalier {

class Layout {
 public:
  // Schedule and partition must outlive this. `window` may differ from rank to rank.
  Layout(const Schedule& schedule, const Partition& partition, int window);

  [[nodiscard]] const Partition& partition() const { return partition_; }
  [[nodiscard]] const Items& items() const { return items_; }
  [[nodiscard]] int window() const { return window_; }
  [[nodiscard]] std::size_t scratch_elements() const { return scratch_elements_; }

  // Which block of its operation's walk an item belongs to.
  [[nodiscard]] int block_of(std::uint32_t op, int item) const {
    return schedule_.operations[op].has_one_peer() ? 0 : items_.piece(op, item).block;
  }

  // Where an item of operation `op` lies in `region`, one of the operation's own.
  [[nodiscard]] Extent extent(std::uint32_t op, const Region& region, int item) const;
  // Where the k-th block of a region begins; not of a ring.
  [[nodiscard]] std::size_t block_offset(const Region& region, int k) const;

 private:
  [[nodiscard]] std::size_t area_elements(const Area& area) const;
  [[nodiscard]] std::vector<std::size_t> offsets_in(const Area& area) const;

  const Schedule& schedule_;
  const Partition& partition_;
  Items items_;
  int window_;
  std::size_t scratch_elements_ = 0;
  std::vector<std::size_t> area_offset_;
  // Of packed areas whose blocks do not add up at once, by place: where each begins in its area. Otherwise empty.
  std::vector<std::vector<std::size_t>> place_offsets_;
};

}  // namespace espalier
