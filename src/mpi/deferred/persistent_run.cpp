// SPDX-License-Identifier: Apache-2.0
#include "mpi/deferred/persistent_run.hpp"

#include <sched.h>

#include "mpi/requests/requests.hpp"

namespace espalier {

PersistentRun::PersistentRun(PreparedCommunicator& communicator, const std::shared_ptr<PersistentTags>& tags,
                             std::uint64_t number)
    : RequestRun(communicator, {tags, &tags->endpoint()}, number),
      tags_(tags),
      tag_to_self_(requests().persistent.take_tag()) {}

PersistentRun::~PersistentRun() { requests().persistent.give_back_tag(tag_to_self_); }

int PersistentRun::make_handle(MPI_Request& request) {
  if (!will_go_on(communicator().job())) return MPI_ERR_NO_MEM;
  const int status = mpi().Recv_init(nullptr, 0, MPI_BYTE, 0, tag_to_self_, requests().to_self, &handle_);
  if (status != MPI_SUCCESS) return status;
  try {
    requests().persistent.insert(handle_, std::static_pointer_cast<PersistentRun>(shared_from_this()));
  } catch (const std::bad_alloc&) {
    mpi().Request_free(&handle_);
    return MPI_ERR_NO_MEM;
  }
  request = handle_;
  return MPI_SUCCESS;
}

// What is active already, the MPI refuses to start.
int PersistentRun::start() {
  if (state_.load(std::memory_order_acquire) != State::inactive) {
    int status = show();
    if (status == MPI_SUCCESS) status = mpi().Start(&handle_);
    if (status != MPI_SUCCESS || is_under_way()) return status;
  } else {
    state_.store(State::hidden, std::memory_order_relaxed);  // nobody else sees it yet
  }
  is_under_way_.store(true, std::memory_order_relaxed);
  if (call().function->is_collective()) communicator().counter(collective()).count_start(requests().many_threads);
  take_turn();
  has_to_report_ = true;
  fail(failure_ == MPI_SUCCESS ? get_ready() : failure_);
  if (status() != MPI_SUCCESS) {
    complete();
  } else if (!requests().runs.advance_alone(*this)) {
    requests().runs.add_lightly(*this);
  }
  return MPI_SUCCESS;
}

int PersistentRun::show() {
  const State found = state_;
  if (found == State::inactive || found == State::shown) return MPI_SUCCESS;
  if (const int status = mpi().Start(&handle_); status != MPI_SUCCESS) return status;
  if (state_.exchange(State::shown) == State::over) send_to_self();
  return MPI_SUCCESS;
}

void PersistentRun::wait() {
  while (state_.load(std::memory_order_acquire) == State::hidden && !try_to_wait()) {
    communicator().job().make_progress();  // another thread that has the run gets on by this
    sched_yield();
  }
}

void PersistentRun::settle(bool all) {
  const bool was_over = state_.load(std::memory_order_acquire) == State::over;
  if (was_over && failure_ != MPI_SUCCESS) is_to_be_raised_ = true;
  if (was_over || (all && !is_under_way())) state_.store(State::inactive, std::memory_order_relaxed);
}

bool PersistentRun::take_failure(bool knows_error) {
  const bool is_shown = knows_error && !is_under_way() && failure_ != MPI_SUCCESS;
  return std::exchange(is_to_be_raised_, false) || is_shown;
}

// After a failure messages may lie about, so that it cannot be started again.
void PersistentRun::complete() noexcept {
  if (status() != MPI_SUCCESS) {
    failure_ = status();
    tags_->spoil();
  }
  is_under_way_.store(false, std::memory_order_release);
  State found = State::hidden;
  if (!state_.compare_exchange_strong(found, State::over)) send_to_self();
}

// A message that is longer than the receive says that the run failed. If none can be sent, the receive is called off.
void PersistentRun::send_to_self() noexcept {
  static const char word = 0;
  const int length = status() == MPI_SUCCESS ? 0 : 1;
  const Native& its = mpi();
  MPI_Request sent = MPI_REQUEST_NULL;
  if (its.Isend(&word, length, MPI_BYTE, 0, tag_to_self_, requests().to_self, &sent) == MPI_SUCCESS) {
    its.Request_free(&sent);
  } else {
    its.Cancel(&handle_);
  }
}

}  // namespace espalier
