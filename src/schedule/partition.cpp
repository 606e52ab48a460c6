// SPDX-License-Identifier: Apache-2.0
#include "schedule/partition.hpp"

#include <algorithm>
#include <stdexcept>

namespace espalier {

namespace {

std::size_t parts_of(std::size_t whole, std::size_t part) { return (whole + part - 1) / part; }

// floor(a * b / c) without overflow; small messages take the cheap route.
std::size_t scaled(std::size_t a, std::size_t b, std::size_t c) {
  if (a < (std::size_t{1} << 32)) return a * b / c;
  return static_cast<std::size_t>(static_cast<unsigned __int128>(a) * b / c);
}

}  // namespace

Partition::Partition(const Even& even) : even_(even), max_segments_(even.segments) {
  const auto blocks = static_cast<std::size_t>(even.blocks), segments = static_cast<std::size_t>(even.segments);
  if (even.exact) {
    max_block_ = even.elements / blocks;
    max_segment_ = std::min(max_block_, parts_of(parts_of(max_block_, even.granule), segments) * even.granule);
    return;
  }
  const std::size_t granules = parts_of(parts_of(even.elements, even.granule), blocks);  // of a block
  max_block_ = std::min(even.elements, granules * even.granule);
  max_segment_ = std::min(max_block_, parts_of(granules, segments) * even.granule);
}

Partition::Partition(Given given) : given_segment_(given.segment) {
  even_.granule = given.granule;
  for (Given::Side* side : {&given.input, &given.output, &given.passing}) {
    for (const std::size_t size : side->sizes) max_block_ = std::max(max_block_, size);
    sides_.push_back(std::move(*side));
  }
  max_segment_ = given_segment_ == 0 ? max_block_ : std::min(max_block_, given_segment_);
  if (given_segment_ > 0)
    max_segments_ = static_cast<int>(std::max<std::size_t>(1, parts_of(max_block_, given_segment_)));
}

int Partition::segments(int label) const {
  if (is_even()) return even_.segments;
  if (given_segment_ == 0) return 1;
  return static_cast<int>(std::max<std::size_t>(1, parts_of(size(label), given_segment_)));
}

std::size_t Partition::size(int label) const {
  if (is_even()) return even_.exact ? max_block_ : even_offset(std::int64_t{label} + 1) - even_offset(label);
  for (const Given::Side& side : sides_) {
    if (side.held.holds(label)) return side.sizes[static_cast<std::size_t>(side.held.place_of(label))];
  }
  throw std::logic_error("a block whose size this rank does not know");
}

std::size_t Partition::size(const Walk& labels, int count) const {
  if (is_even() && even_.exact) return static_cast<std::size_t>(count) * max_block_;
  if (adds_up_at_once(labels)) {
    const std::int64_t first = labels.at(0);
    return even_offset(first + count) - even_offset(first);
  }
  std::size_t all = 0;
  for (int k = 0; k < count; ++k) all += size(labels.at(k));
  return all;
}

bool Partition::adds_up_at_once(const Walk& labels) const {
  const bool go_round_all = labels.modulus == 0 || labels.modulus == even_.blocks;
  const bool follow_one_another = labels.list == nullptr && labels.step == 1 && labels.scale == 1 && go_round_all;
  return is_even() && (even_.exact || follow_one_another);
}

Extent Partition::segment(int label, int number) const {
  const std::size_t length = size(label);
  const int parts = segments(label);
  const std::size_t low = is_even() ? cut(length, number, parts) : static_cast<std::size_t>(number) * given_segment_;
  const std::size_t high = is_even() ? cut(length, number + 1, parts) : low + given_segment_;
  return number + 1 == parts ? Extent{low, length - low} : Extent{low, high - low};
}

std::size_t Partition::offset(Buffer buffer, int place) const {
  if (!is_even()) return sides_[buffer == Buffer::input ? 0 : 1].offsets[static_cast<std::size_t>(place)];
  return even_.exact ? static_cast<std::size_t>(place) * max_block_ : even_offset(place);
}

// Labels past the last block go round: a packed area may hold the last block and the first one after it.
std::size_t Partition::even_offset(std::int64_t label) const {
  const auto rounds = static_cast<std::size_t>(label / even_.blocks);
  return rounds * even_.elements + cut(even_.elements, static_cast<int>(label % even_.blocks), even_.blocks);
}

std::size_t Partition::cut(std::size_t elements, int part, int parts) const {
  if (part == 0) return 0;
  if (part == parts) return elements;
  const std::size_t granules = parts_of(elements, even_.granule);
  return std::min(elements, scaled(granules, part, parts) * even_.granule);
}

Partition unit_partition(int blocks, int segments) {
  const auto elements = static_cast<std::size_t>(blocks) * static_cast<std::size_t>(segments);
  return Partition({.blocks = blocks, .elements = elements, .segments = segments});
}

}  // namespace espalier
