// SPDX-License-Identifier: Apache-2.0
#include "differential/blocks.hpp"

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
  MPI_Type_indexed(static_cast<int>(counts_.size()), counts_.data(), displacements_.data(), type_, &all_);
  MPI_Type_commit(&all_);
}

}  // namespace espalier::apps
