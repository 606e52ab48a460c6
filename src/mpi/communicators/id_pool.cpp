// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicators/id_pool.hpp"

#include <bit>

namespace espalier {

namespace {
std::uint64_t bit_of(int id) { return std::uint64_t{1} << (id % 64); }
}  // namespace

std::optional<int> lowest_of(const FreeIds& ids) {
  for (std::size_t word = 0; word < ids.size(); ++word) {
    if (ids[word] != 0) return static_cast<int>(word) * 64 + std::countr_zero(ids[word]);
  }
  return std::nullopt;
}

IdPool::IdPool(int count) {
  for (int id = 0; id < count; ++id) release(id);
}

FreeIds IdPool::free_ids() const {
  FreeIds ids;
  for (std::size_t word = 0; word < ids.size(); ++word) ids[word] = free_[word].load(std::memory_order_acquire);
  return ids;
}

void IdPool::reserve(int id) { free_[id / 64].fetch_and(~bit_of(id), std::memory_order_acq_rel); }

void IdPool::release(int id) { free_[id / 64].fetch_or(bit_of(id), std::memory_order_acq_rel); }

}  // namespace espalier
