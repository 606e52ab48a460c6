// SPDX-License-Identifier: Apache-2.0
// The persistent requests of this process: from their handles to the runs behind them, and the tags of their messages
// to this process itself.
#pragma once

#include <vector>

#include "mpi/requests/request_table.hpp"

namespace espalier {

class PersistentRun;

// From any thread. A removed run is gone with the last hold on it.
class PersistentHandles : public RequestTable<std::shared_ptr<PersistentRun>> {
 public:
  // A tag that no other one has. Throws on allocation failure.
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
  std::mutex mutex_;
  int tags_ = 0;
  std::vector<int> free_tags_;
};

}  // namespace espalier
