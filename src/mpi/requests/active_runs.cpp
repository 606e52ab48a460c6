// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/active_runs.hpp"

#include <algorithm>
#include <new>

namespace espalier {

void ActiveRuns::make_room() {
  const std::lock_guard lock(mutex_);
  if (new_.capacity() <= rooms_) new_.reserve(2 * rooms_ + 16);
  ++rooms_;
}

void ActiveRuns::give_back_room() noexcept {
  const std::lock_guard lock(mutex_);
  --rooms_;
}

void ActiveRuns::add(std::shared_ptr<ActiveRun> run) noexcept {
  const std::lock_guard lock(mutex_);
  new_.push_back(std::move(run));
  count_.fetch_add(1, std::memory_order_release);
}

void ActiveRuns::add_lightly(ActiveRun& run) noexcept {
  if (ActiveRun* const before = latest_.exchange(&run)) add(before->shared_from_this());
}

void ActiveRuns::hold_latest() noexcept {
  if (ActiveRun* const latest = latest_.exchange(nullptr)) add(latest->shared_from_this());
}

// For want of memory they stay where they are until the next poll.
void ActiveRuns::take_new_ones() try {
  hold_latest();
  const std::lock_guard lock(mutex_);
  runs_.reserve(runs_.size() + new_.size());
  for (std::shared_ptr<ActiveRun>& run : new_) runs_.push_back(std::move(run));
  new_.clear();
} catch (const std::bad_alloc&) {
}

// True if it came to its end.
bool ActiveRuns::advance_next() {
  if (next_ >= runs_.size()) next_ = 0;
  const auto place = runs_.begin() + static_cast<std::ptrdiff_t>(next_);
  if (!(*place)->advance()) {
    ++next_;
    return false;
  }
  runs_.erase(place);
  count_.fetch_sub(1, std::memory_order_release);
  return true;
}

bool ActiveRuns::take_out(ActiveRun& run) noexcept {
  ActiveRun* expected = &run;
  if (latest_.compare_exchange_strong(expected, nullptr)) return true;
  if (polling_.test_and_set(std::memory_order_acquire)) return false;
  take_new_ones();
  const auto place = std::find_if(runs_.rbegin(), runs_.rend(), [&](const auto& other) { return other.get() == &run; });
  const bool is_there = place != runs_.rend();
  if (is_there) {
    runs_.erase(std::next(place).base());
    count_.fetch_sub(1, std::memory_order_release);
  }
  polling_.clear(std::memory_order_release);
  return is_there;
}

bool ActiveRuns::advance_alone(ActiveRun& run) noexcept {
  const bool nobody_polls = !polling_.test_and_set(std::memory_order_acquire);
  const bool has_ended = run.advance();
  if (nobody_polls) polling_.clear(std::memory_order_release);
  return has_ended;
}

bool ActiveRuns::poll() noexcept {
  if (empty() || polling_.test_and_set(std::memory_order_acquire)) return false;
  take_new_ones();
  bool has_ended = false;
  for (std::size_t left = std::min(runs_.size(), max_runs_per_poll); left > 0; --left) {
    has_ended = advance_next() || has_ended;
  }
  polling_.clear(std::memory_order_release);
  return has_ended;
}

}  // namespace espalier
