// SPDX-License-Identifier: Apache-2.0
#include "differential/blocks.hpp"

#include <numeric>

namespace espalier::apps {

namespace {

constexpr int first_displacement = -2;  // of blocks that lie backwards

int space_before(int block) { return 1 + block % 3; }

std::vector<int> forwards(const std::vector<int>& counts, Order order) {
  std::vector<int> displacements;
  int next = 0;
  for (const int count : counts) {
    if (order == Order::spaced) next += space_before(static_cast<int>(displacements.size()));
    displacements.push_back(next);
    next += count;
  }
  return displacements;
}

std::vector<int> backwards(const std::vector<int>& counts) {
  std::vector<int> displacements(counts.size());
  int next = first_displacement;
  for (std::size_t block = counts.size(); block-- > 0;) {
    displacements[block] = next;
    next += counts[block] + space_before(static_cast<int>(block));
  }
  return displacements;
}

}  // namespace

Blocks::Blocks(const Side& unit, const std::vector<int>& units, Order order) : type_(unit.type) {
  for (const int number : units) counts_.push_back(number * unit.count);
  displacements_ = order == Order::backwards ? backwards(counts_) : forwards(counts_, order);
  large_counts_.assign(counts_.begin(), counts_.end());
  large_displacements_.assign(displacements_.begin(), displacements_.end());
  types_.assign(counts_.size(), type_);
  MPI_Aint lower_bound = 0, extent = 0;
  MPI_Type_get_extent(type_, &lower_bound, &extent);
  for (const int displacement : displacements_) {
    displacements_in_bytes_.push_back(static_cast<int>(displacement * extent));
    large_displacements_in_bytes_.push_back(displacement * extent);
  }
  elements_ = std::accumulate(counts_.begin(), counts_.end(), 0);
  if (order == Order::tight) return;
  MPI_Type_indexed(static_cast<int>(counts_.size()), counts_.data(), displacements_.data(), type_, &all_);
  MPI_Type_commit(&all_);
}

Blocks::~Blocks() {
  if (all_ != MPI_DATATYPE_NULL) MPI_Type_free(&all_);
}

CallBlocks Blocks::said(const Function& function, bool is_large) const {
  CallBlocks said{.count = counts_.empty() ? 0 : counts_.front(), .type = type_};
  if (!function.is_uneven) return said;
  said.counts = is_large ? static_cast<const void*>(large_counts_.data()) : counts_.data();
  said.displacements = is_large ? static_cast<const void*>(large_displacements_.data()) : displacements_.data();
  if (!function.is_typed) return said;
  said.displacements =
      is_large ? static_cast<const void*>(large_displacements_in_bytes_.data()) : displacements_in_bytes_.data();
  said.types = types_.data();
  return said;
}

Buffer Blocks::memory() const { return all_ == MPI_DATATYPE_NULL ? Buffer(type_, elements_) : Buffer(all_, 1, type_); }

}  // namespace espalier::apps
