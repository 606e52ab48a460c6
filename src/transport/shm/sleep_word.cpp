// SPDX-License-Identifier: Apache-2.0
#include "transport/shm/sleep_word.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace espalier {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

bool SleepWord::wait(std::chrono::nanoseconds most) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(most);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (most - seconds).count()};
  (void)syscall(SYS_futex, word_, FUTEX_WAIT, asleep, &limit, nullptr, 0);
  return word_->load(std::memory_order_relaxed) == awake;
}

void SleepWord::wake() const {
  word_->store(awake, std::memory_order_relaxed);
  (void)syscall(SYS_futex, word_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace espalier
