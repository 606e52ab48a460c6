// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/active_runs.hpp"

#include <algorithm>

namespace espalier {

// Runs that are not over hold themselves.
ActiveRuns::~ActiveRuns() {
  take_new_ones();
  while (runs_.size() > 0) runs_.pop().held_.reset();
}

void ActiveRuns::add(std::shared_ptr<ActiveRun> run) noexcept {
  ActiveRun& added = *run;
  added.held_ = std::move(run);
  count_.fetch_add(1, std::memory_order_release);
  new_.leave(added);
}

void ActiveRuns::add_lightly(ActiveRun& run) noexcept {
  if (ActiveRun* const before = latest_.exchange(&run)) add(before->shared_from_this());
}

void ActiveRuns::hold_latest() noexcept {
  if (ActiveRun* const latest = latest_.exchange(nullptr)) add(latest->shared_from_this());
}

void ActiveRuns::take_new_ones() noexcept {
  hold_latest();
  new_.take_all([&](ActiveRun& run) { runs_.push(run); });
}

// True if it ended.
bool ActiveRuns::advance_next() {
  ActiveRun& run = runs_.pop();
  // Once it is over, it may be added again at once, or be gone.
  const std::shared_ptr<ActiveRun> held = std::move(run.held_);
  if (run.advance()) {
    count_.fetch_sub(1, std::memory_order_release);
    return true;
  }
  run.held_ = held;
  runs_.push(run);
  return false;
}

bool ActiveRuns::take_out(ActiveRun& run) noexcept {
  ActiveRun* expected = &run;
  if (latest_.compare_exchange_strong(expected, nullptr)) return true;
  if (polling_.test_and_set(std::memory_order_acquire)) return false;
  take_new_ones();
  const bool is_there = runs_.remove(run);
  if (is_there) {
    run.held_.reset();
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
