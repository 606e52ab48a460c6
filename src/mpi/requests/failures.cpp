// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/failures.hpp"

#include <algorithm>
#include <new>

namespace espalier {

void Failures::add(std::shared_ptr<RequestRun> run) noexcept try {
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(failures_, run, &Failure::run) != failures_.end()) return;
  failures_.push_back({std::this_thread::get_id(), std::move(run)});
  count_.store(failures_.size(), std::memory_order_release);
} catch (const std::bad_alloc&) {
}

std::shared_ptr<RequestRun> Failures::take() {
  const std::lock_guard lock(mutex_);
  const auto its = std::ranges::find(failures_, std::this_thread::get_id(), &Failure::reported);
  if (its == failures_.end()) return nullptr;
  std::shared_ptr<RequestRun> run = std::move(its->run);
  failures_.erase(its);
  count_.store(failures_.size(), std::memory_order_release);
  return run;
}

}  // namespace espalier
