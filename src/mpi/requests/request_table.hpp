// SPDX-License-Identifier: Apache-2.0
// From the handles of requests to what belongs to them. Handles that nothing belongs to are asked for as often, by
// every MPI_Start.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <unordered_map>

#include "mpi/communicators/handle_table.hpp"
#include "mpi/types/handles.hpp"

namespace espalier {

// From any thread. Anyone who asks for a handle uses it, so that nobody removes it meanwhile.
template <class Pointer>
class RequestTable {
 public:
  using Target = typename std::pointer_traits<Pointer>::element_type;

  [[nodiscard]] bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  // Null if nothing belongs to it.
  [[nodiscard]] Target* find(MPI_Request handle) const {
    if (empty()) return nullptr;
    Target* const value = table_.find(number_of(handle));
    return value != nullptr || !has_more_.load(std::memory_order_acquire) ? value : find_slowly(number_of(handle));
  }

  // Throws on allocation failure.
  void insert(MPI_Request handle, Pointer pointer) {
    const std::lock_guard lock(mutex_);
    Target* const value = std::to_address(pointer);
    all_.emplace(number_of(handle), std::move(pointer));
    if (!table_.insert(number_of(handle), value)) has_more_.store(true, std::memory_order_release);
    count_.fetch_add(1, std::memory_order_release);
  }

  // Null if nothing belonged to it.
  Pointer remove(MPI_Request handle) {
    const std::lock_guard lock(mutex_);
    auto removed = all_.extract(number_of(handle));
    if (removed.empty()) return nullptr;
    table_.remove(number_of(handle));
    count_.fetch_sub(1, std::memory_order_release);
    return std::move(removed.mapped());
  }

 private:
  [[nodiscard]] Target* find_slowly(std::uintptr_t handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : std::to_address(found->second);
  }

  HandleTable<Target> table_;
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> has_more_{false};  // than fit into the table, at some time
  mutable std::mutex mutex_;
  std::unordered_map<std::uintptr_t, Pointer> all_;
};

}  // namespace espalier
