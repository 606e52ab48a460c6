// SPDX-License-Identifier: Apache-2.0
// Where memory goes that the MPI may still use when nobody else does.
#pragma once

#include <list>
#include <mutex>

namespace espalier {

// All of them stay where they are. Takes no memory, so that destructors may call it.
template <class Thing>
void keep_permanently(std::list<Thing>& things) {
  union Kept {
    Kept() : list() {}
    ~Kept() {}  // permanently
    std::list<Thing> list;
  };
  static Kept kept;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  kept.list.splice(kept.list.end(), things);
}

}  // namespace espalier
