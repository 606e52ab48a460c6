// SPDX-License-Identifier: Apache-2.0
#include "schedule/items.hpp"

namespace espalier {

Items::Items(const Schedule& schedule, const Partition& partition)
    : segments_(partition.is_even() ? partition.segments() : 0) {
  counts_.reserve(schedule.operations.size());
  for (const Operation& operation : schedule.operations) {
    const Region& walked = operation.walked();
    if (segments_ > 0) {
      counts_.push_back(operation.merged ? 1 : walked.blocks * segments_);
      continue;
    }
    first_of_.push_back(static_cast<std::uint32_t>(first_items_.size()));
    int items = 0;
    const auto add = [&](int segments) {
      first_items_.push_back(items);
      items += segments;
    };
    if (operation.merged) add(1);
    for (int k = 0; k < walked.blocks && !operation.merged; ++k) add(partition.segments(walked.label.at(k)));
    first_items_.push_back(items);
    counts_.push_back(items);
  }
  first_of_.push_back(static_cast<std::uint32_t>(first_items_.size()));
}

Items::Piece Items::uneven_piece(std::uint32_t op, int item) const {
  const auto begin = first_items_.begin() + first_of_[op], end = first_items_.begin() + first_of_[op + 1];
  const auto after = std::upper_bound(begin, end, item);
  return {static_cast<int>(after - begin) - 1, item - *(after - 1)};
}

// Segment j of block k waits for segment j of block k + shift of the other's walk, or for that block's last one.
int Items::uneven_aligned(const Dependency& dependency, std::uint32_t op, int item) const {
  const auto [block, segment] = uneven_piece(op, item);
  const std::uint32_t first = first_of_[dependency.operation];
  const auto blocks = static_cast<int>(first_of_[dependency.operation + 1] - first) - 1;
  const int other = block + dependency.shift;
  if (other < 0) return 0;
  if (other >= blocks) return counts_[dependency.operation];
  return std::min(first_items_[first + other] + segment + 1, first_items_[first + other + 1]);
}

}  // namespace espalier
