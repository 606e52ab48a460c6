// SPDX-License-Identifier: Apache-2.0
// The memory of one rank as the verifier sees it: a cell for each segment of each block of input and output, for each
// segment of each slot of a scratch area, and for each slot of a ring.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/items.hpp"
#include "verify/model/case.hpp"

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
  // Schedule and partition must outlive this.
  Cells(const Case& problem, Rank rank, const Schedule& schedule, const Partition& partition, int window);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] const Items& items() const { return items_; }
  [[nodiscard]] std::uint32_t input(int place, int segment) const { return first_of_input_[place] + segment; }
  [[nodiscard]] std::uint32_t output(int place, int segment) const { return first_of_output_[place] + segment; }
  // Where the cells of the output begin, and those of scratch memory.
  [[nodiscard]] std::uint32_t first_output() const { return first_of_output_.front(); }
  [[nodiscard]] std::uint32_t first_scratch() const { return first_of_output_.back(); }

  // What item `item` of operation `op` touches in `region`, one of its own.
  [[nodiscard]] CellRange of(std::uint32_t op, const Region& region, int item) const;

 private:
  // The first cell of each place, and one past the last.
  using Places = std::vector<std::uint32_t>;

  template <class LabelAt>
  [[nodiscard]] Places add_places(const Partition& partition, int places, LabelAt label_at);
  [[nodiscard]] const Places& places_of(const Region& region) const;

  const Schedule& schedule_;
  Items items_;
  std::uint32_t window_;
  std::uint32_t size_ = 0;
  Places first_of_input_, first_of_output_;
  std::vector<Places> first_of_area_;
};

inline const Cells::Places& Cells::places_of(const Region& region) const {
  if (region.buffer == Buffer::scratch) return first_of_area_[region.area];
  return region.buffer == Buffer::output ? first_of_output_ : first_of_input_;
}

inline CellRange Cells::of(std::uint32_t op, const Region& region, int item) const {
  if (region.blocks == 0) return {};  // a signal
  const Places& first = places_of(region);
  const bool in_ring = region.buffer == Buffer::scratch && schedule_.areas[region.area].kind == Area::Kind::ring;
  if (in_ring) return {first.front() + item % window_, 1};
  if (schedule_.operations[op].merged) {
    const std::uint32_t begin = first[region.place.at(0)];
    return {begin, first[region.place.at(0) + region.blocks] - begin};
  }
  const auto [block, segment] = items_.piece(op, item);
  return {first[region.place.at(block)] + segment, 1};
}

}  // namespace espalier::proof
