// SPDX-License-Identifier: Apache-2.0
#include "mpi/functions/kept_numbers.hpp"

#include <map>
#include <mutex>
#include <new>

namespace espalier {

void KeptNumbers::keep_for(MPI_Request request) noexcept try {
  static std::mutex mutex;
  static std::map<MPI_Request, std::vector<std::vector<int>>> kept;
  const std::lock_guard lock(mutex);
  kept[request].swap(arrays_);
} catch (const std::bad_alloc&) {
  new (std::nothrow) auto(std::move(arrays_));  // rather lost than gone too early
}

}  // namespace espalier
