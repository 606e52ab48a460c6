// SPDX-License-Identifier: Apache-2.0
// The persistent requests of this process: from their handles to the runs behind them, and the tags of their messages
// to this process itself. Handles of the native MPI's own requests are asked for as often, by every MPI_Start.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "mpi/communicators/handle_table.hpp"
#include "mpi/types/handles.hpp"

namespace espalier {

class PersistentRun;

// From any thread. Whoever asks for a handle uses it, so that nobody removes it meanwhile.
class PersistentHandles {
 public:
  [[nodiscard]] bool empty() const { return count_.load(std::memory_order_acquire) == 0; }
  // Null if it is none of ours.
  [[nodiscard]] PersistentRun* find(MPI_Request handle) const {
    if (empty()) return nullptr;
    PersistentRun* const run = table_.find(number_of(handle));
    return run != nullptr || !has_more_.load(std::memory_order_acquire) ? run : find_slowly(number_of(handle));
  }

  // Throws for want of memory.
  void insert(MPI_Request handle, std::shared_ptr<PersistentRun> run) {
    const std::lock_guard lock(mutex_);
    PersistentRun* const its = run.get();
    all_.emplace(number_of(handle), std::move(run));
    if (!table_.insert(number_of(handle), its)) has_more_.store(true, std::memory_order_release);
    count_.fetch_add(1, std::memory_order_release);
  }

  // The run is gone with the last hold on it. Null if it was none of ours.
  std::shared_ptr<PersistentRun> remove(MPI_Request handle) {
    const std::lock_guard lock(mutex_);
    auto removed = all_.extract(number_of(handle));
    if (removed.empty()) return nullptr;
    table_.remove(number_of(handle));
    count_.fetch_sub(1, std::memory_order_release);
    return std::move(removed.mapped());
  }

  // A tag that no other one has. Throws for want of memory.
  [[nodiscard]] int take_tag() {
    const std::lock_guard lock(mutex_);
    if (free_tags_.empty()) {
      if (free_tags_.capacity() <= static_cast<std::size_t>(tags_)) free_tags_.reserve(2 * free_tags_.capacity() + 16);
      return tags_++;
    }
    const int tag = free_tags_.back();
    free_tags_.pop_back();
    return tag;
  }
  void give_back_tag(int tag) noexcept {
    const std::lock_guard lock(mutex_);
    free_tags_.push_back(tag);
  }

 private:
  [[nodiscard]] PersistentRun* find_slowly(std::uintptr_t handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = all_.find(handle);
    return found == all_.end() ? nullptr : found->second.get();
  }

  HandleTable<PersistentRun> table_;
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> has_more_{false};  // than fit into the table, at some time
  mutable std::mutex mutex_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<PersistentRun>> all_;
  int tags_ = 0;
  std::vector<int> free_tags_;
};

}  // namespace espalier
