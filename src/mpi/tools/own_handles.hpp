// SPDX-License-Identifier: Apache-2.0
// Handles of our variables. They are addresses in an array, by which they are told from the MPI's own without a
// look-up.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <functional>

namespace espalier {

template <class Variable, std::size_t count>
class OwnHandles {
 public:
  struct HandleEntry {
    std::atomic<bool> is_used{false};
    std::atomic<const Variable*> variable{nullptr};
    std::atomic<void*> session{nullptr};  // of performance variables
  };

  // Null: all are used.
  [[nodiscard]] HandleEntry* allocate(const Variable& variable, void* session) {
    for (HandleEntry& entry : entries_) {
      if (entry.is_used.exchange(true)) continue;
      entry.variable.store(&variable);
      entry.session.store(session);
      return &entry;
    }
    return nullptr;
  }
  // Also of one that was freed; null: it never was one of these.
  [[nodiscard]] HandleEntry* find(const void* handle) {
    const std::less<const void*> before;
    if (before(handle, entries_.data()) || !before(handle, entries_.data() + entries_.size())) return nullptr;
    return static_cast<HandleEntry*>(const_cast<void*>(handle));
  }
  void free(HandleEntry& entry) { entry.is_used.store(false); }
  void free_session(const void* session) {
    for (HandleEntry& entry : entries_) {
      if (entry.is_used.load() && entry.session.load() == session) free(entry);
    }
  }

 private:
  std::array<HandleEntry, count> entries_;
};

}  // namespace espalier
