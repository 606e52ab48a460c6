// SPDX-License-Identifier: Apache-2.0
#include "schedule/layout.hpp"

namespace espalier {

Layout::Layout(const Schedule& schedule, const Partition& partition, int window)
    : schedule_(schedule), partition_(partition), items_(schedule, partition), window_(window) {
  for (const Area& area : schedule.areas) {
    area_offset_.push_back(scratch_elements_);
    scratch_elements_ += area_elements(area);
    place_offsets_.push_back(offsets_in(area));
  }
}

std::size_t Layout::area_elements(const Area& area) const {
  switch (area.kind) {
    case Area::Kind::ring: return static_cast<std::size_t>(window_) * partition_.max_segment();
    case Area::Kind::slots: return static_cast<std::size_t>(area.blocks) * partition_.max_block();
    case Area::Kind::packed: return partition_.size(area.labels, area.blocks);
  }
  return 0;
}

std::vector<std::size_t> Layout::offsets_in(const Area& area) const {
  std::vector<std::size_t> offsets;
  if (area.kind != Area::Kind::packed || partition_.adds_up_at_once(area.labels)) return offsets;
  std::size_t next = 0;
  for (int place = 0; place < area.blocks; ++place) {
    offsets.push_back(next);
    next += partition_.size(area.labels.at(place));
  }
  return offsets;
}

std::size_t Layout::block_offset(const Region& region, int k) const {
  const int place = region.place.at(k);
  if (region.buffer != Buffer::scratch) return partition_.offset(region.buffer, place);
  const Area& area = schedule_.areas[static_cast<std::size_t>(region.area)];
  const std::size_t base = area_offset_[static_cast<std::size_t>(region.area)];
  const std::vector<std::size_t>& offsets = place_offsets_[static_cast<std::size_t>(region.area)];
  if (!offsets.empty()) return base + offsets[static_cast<std::size_t>(place)];
  if (area.kind == Area::Kind::packed) return base + partition_.size(area.labels, place);
  return base + static_cast<std::size_t>(place) * partition_.max_block();
}

Extent Layout::extent(std::uint32_t op, const Region& region, int item) const {
  if (region.blocks == 0) return {};  // a signal
  if (schedule_.operations[op].merged) return {block_offset(region, 0), partition_.size(region.label, region.blocks)};
  const auto [block, number] = items_.piece(op, item);
  const Extent segment = partition_.segment(region.label.at(block), number);
  const bool in_ring = region.buffer == Buffer::scratch &&
                       schedule_.areas[static_cast<std::size_t>(region.area)].kind == Area::Kind::ring;
  if (in_ring) {
    const std::size_t slot = static_cast<std::size_t>(item % window_) * partition_.max_segment();
    return {area_offset_[static_cast<std::size_t>(region.area)] + slot, segment.length};
  }
  return {block_offset(region, block) + segment.offset, segment.length};
}

}  // namespace espalier
