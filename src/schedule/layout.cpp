// SPDX-License-Identifier: Apache-2.0
#include "schedule/layout.hpp"

namespace espalier {

namespace {

// floor(a * b / c) without overflow; small messages take the cheap way.
std::size_t scaled(std::size_t a, std::size_t b, std::size_t c) {
  if (a < (std::size_t{1} << 32)) return a * b / c;
  return static_cast<std::size_t>(static_cast<unsigned __int128>(a) * b / c);
}

}  // namespace

Layout::Layout(const Schedule& schedule, std::size_t elements, int segments, int window, std::size_t granule)
    : elements_(elements),
      granule_(granule),
      blocks_(schedule.blocks),
      segments_(segments),
      window_(window),
      areas_(schedule.areas) {
  const std::size_t granules = (elements + granule - 1) / granule;
  const auto upper = [&](std::size_t units, int parts) { return (units + parts - 1) / parts; };
  largest_block_ = std::min(elements, upper(granules, blocks_) * granule);
  largest_segment_ = std::min(largest_block_, upper(upper(granules, blocks_), segments_) * granule);
  for (const Area& area : areas_) {
    area_offset_.push_back(scratch_elements_);
    const bool ring = area.kind == Area::Kind::ring;
    scratch_elements_ += ring ? window_ * largest_segment_ : area.blocks * largest_block_;
  }
}

std::size_t Layout::cut(std::size_t elements, int part, int parts) const {
  if (part == 0) return 0;
  if (part == parts) return elements;
  const std::size_t granules = (elements + granule_ - 1) / granule_;
  return std::min(elements, scaled(granules, part, parts) * granule_);
}

// Labels past the last block go round: a packed area may hold the last block and the first one after it.
std::size_t Layout::block_offset(std::int64_t label) const {
  const auto rounds = static_cast<std::size_t>(label / blocks_);
  return rounds * elements_ + cut(elements_, static_cast<int>(label % blocks_), blocks_);
}

// Slots of a packed area hold consecutive labels; slot 0's label follows from the region's own walk.
std::size_t Layout::packed_offset(const Region& region, int k) const {
  const int slot = region.place.at(k);
  const int origin = wrap(std::int64_t{region.label.at(k)} - slot, blocks_);
  return block_offset(std::int64_t{origin} + slot) - block_offset(origin);
}

Extent Layout::extent(const Operation& op, const Region& region, int item) const {
  const int k = op.merged ? 0 : item / segments_;
  const int label = region.label.at(k);
  const std::size_t start = block_offset(label);
  const std::size_t length = block_offset(std::int64_t{label} + (op.merged ? region.blocks : 1)) - start;
  const int segment = op.merged ? 0 : item % segments_;
  const int parts = op.merged ? 1 : segments_;
  const std::size_t low = cut(length, segment, parts);
  const std::size_t size = cut(length, segment + 1, parts) - low;

  if (region.buffer == Buffer::input || region.buffer == Buffer::output) {
    return {block_offset(region.place.at(k)) + low, size};
  }
  const std::size_t base = area_offset_[region.area];
  switch (areas_[region.area].kind) {
    case Area::Kind::ring: return {base + (item % window_) * largest_segment_, size};
    case Area::Kind::slots: return {base + region.place.at(k) * largest_block_ + low, size};
    case Area::Kind::packed: return {base + packed_offset(region, k) + low, size};
  }
  return {};
}

int segments_for(std::size_t bytes, int blocks, std::size_t segment_bytes) {
  if (segment_bytes == 0 || bytes == 0) return 1;
  const std::size_t block = (bytes + blocks - 1) / blocks;
  return static_cast<int>(std::max<std::size_t>(1, (block + segment_bytes - 1) / segment_bytes));
}

}  // namespace espalier
