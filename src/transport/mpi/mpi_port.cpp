// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/mpi_port.hpp"

#include <sched.h>

#include <algorithm>

#include "core/clock.hpp"
#include "transport/mpi/large_type.hpp"
#include "transport/mpi/take_back.hpp"

namespace espalier {

namespace {

// Empty polls before a rank yields its core. Yielding earlier costs latency where every rank has a core of its own;
// yielding later costs others their time slice where it has not.
constexpr int patience = 2000;
constexpr int patience_when_crowded = 50;

// How many times a rank yields before it looks whether the call was ended from outside.
constexpr int yields_between_looks = 16;

}  // namespace

void MpiPort::reserve(std::size_t tokens) {
  requests_.resize(tokens, MPI_REQUEST_NULL);
  senders_.resize(tokens, no_rank);
  started_.resize(tokens);
  polled_.resize(tokens, MPI_REQUEST_NULL);
  tokens_.resize(tokens);
  indices_.resize(tokens);
  statuses_.resize(tokens);
  completed_.resize(tokens);
}

template <class Start>
void MpiPort::start_large(Token token, const Message& message, MPI_Count count, Start operation) {
  const LargeType large(mpi_, count, wire_.type);
  if (large.status() != MPI_SUCCESS) return fail(large.status());
  start(token, message, 1, large.get(), operation);
}
template void MpiPort::start_large(Token, const Message&, MPI_Count, decltype(Native::Isend));
template void MpiPort::start_large(Token, const Message&, MPI_Count, decltype(Native::Irecv));

void MpiPort::begin(std::uint64_t call) {
  if (under_way_) {  // the application left that call by a jump
    abandon();
    watch_.mark_unclean();
  }
  under_way_ = true;
  failed_ = false;
  error_ = MPI_SUCCESS;
  ended_by_ = CallState::goes_on;
  passed_since_ = 0;
  call_ = call;
  first_tag_ = peers_.first_tag + peers_.tags.offset(call) + (is_shared_ ? TagLayout::shared : 0);
}

void MpiPort::wait_longer(MPI_Request& request) {
  while (!is_over(request)) {
    idle();
    if (failed()) return;
  }
  empty_polls_ = 0;
}

void MpiPort::gather_started() {
  for (std::size_t k = 0; k < started_count_; ++k) {
    tokens_[polled_count_] = started_[k];
    polled_[polled_count_++] = std::exchange(requests_[started_[k]], MPI_REQUEST_NULL);
  }
  started_count_ = 0;
}

// The last one moves into the gap.
void MpiPort::remove(int position) {
  const int last = --polled_count_;
  polled_[position] = std::exchange(polled_[last], MPI_REQUEST_NULL);
  tokens_[position] = tokens_[last];
}

std::span<const Token> MpiPort::poll() {
  gather_started();
  if (asks_quietly_) return poll_quietly();
  int count = 0;
  const int status = mpi_.Testsome(polled_count_, polled_.data(), &count, indices_.data(), statuses_.data());
  if (count == MPI_UNDEFINED) count = 0;
  if (status != MPI_SUCCESS) [[unlikely]] {
    int error_class = status;
    mpi_.Error_class(status, &error_class);
    error_class == MPI_ERR_IN_STATUS ? note_statuses(count) : fail(status);
  }
  if (count == 0) return {};
  note_if_first();
  empty_polls_ = 0;
  for (int k = 0; k < count; ++k) completed_[k] = tokens_[indices_[k]];
  // From the back, so that whatever moves into a gap is still under way.
  std::sort(indices_.begin(), indices_.begin() + count);
  for (int k = count; k-- > 0;) remove(indices_[k]);
  return {completed_.data(), static_cast<std::size_t>(count)};
}

std::span<const Token> MpiPort::poll_quietly() {
  std::size_t count = 0;
  for (int k = polled_count_; k-- > 0;) {
    if (!is_over(polled_[k])) continue;
    completed_[count++] = tokens_[k];
    remove(k);
  }
  return {completed_.data(), count};
}

void MpiPort::note_statuses(int completed) {
  for (int k = 0; k < completed; ++k) {
    if (statuses_[k].MPI_ERROR != MPI_SUCCESS) note_end_of_message(statuses_[k].MPI_ERROR);
  }
}

bool MpiPort::back_off() {
  if (++empty_polls_ < (peers_.crowded ? patience_when_crowded : patience)) return false;
  empty_polls_ = 0;
  sched_yield();
  return true;
}

bool MpiPort::is_time_to_look() { return back_off() && ++empty_waits_ % yields_between_looks == 0; }

// What was sent before may still be going to us while the MPI shows us what was sent after it.
void MpiPort::look_whether_in_step(const StepOfRank& elsewhere) {
  const StepOfRank other = elsewhere.rank != no_rank ? elsewhere : ranks_past();
  if (other.rank == no_rank) {
    passed_since_ = 0;
  } else if (passed_since_ == 0) {
    passed_since_ = now();
  } else if (now() - passed_since_ > peers_.seconds_out_of_step) {
    watch_.note_passed_by(other);
    ended_by_ = CallState::out_of_step;
    fail(MPI_ERR_INTERN);
  }
}

// Among those for whom this rank waits.
StepOfRank MpiPort::ranks_past() const {
  StepOfRank found;
  const auto is_found = [&](Token token) {
    const Rank from = senders_[token];
    const auto step = from == no_rank ? std::nullopt : watch_.other_step_of(from, {call_, is_shared_});
    if (step) found = {from, *step};
    return step.has_value();
  };
  for (std::size_t token = 0; token < requests_.size(); ++token) {
    if (requests_[token] != MPI_REQUEST_NULL && is_found(static_cast<Token>(token))) return found;
  }
  (void)std::any_of(tokens_.begin(), tokens_.begin() + polled_count_, is_found);
  return found;
}

void MpiPort::look() {
  ended_by_ = watch_.look(call_);
  if (ended_by_ != CallState::goes_on) fail(watch_.error());
}

void MpiPort::abandon() {
  gather_started();
  for (std::vector<MPI_Request>* requests : {&requests_, &polled_}) {
    for (MPI_Request& request : *requests) (void)take_back(mpi_, request);
  }
  polled_count_ = 0;
  end();
}

}  // namespace espalier
