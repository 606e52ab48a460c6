// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/mpi_transport.hpp"

#include <sched.h>

#include <algorithm>

#include "transport/mpi/large_type.hpp"

namespace espalier {

namespace {

// Polls in vain before a rank yields its core. Yielding earlier costs latency where every rank has a core of its own;
// yielding later costs others their time slice where it has not.
constexpr int patience = 2000;
constexpr int patience_when_crowded = 50;

}  // namespace

void MpiTransport::reserve(std::size_t tokens) {
  requests_.resize(tokens, MPI_REQUEST_NULL);
  started_.resize(tokens);
  polled_.resize(tokens, MPI_REQUEST_NULL);
  tokens_.resize(tokens);
  indices_.resize(tokens);
  statuses_.resize(tokens);
  completed_.resize(tokens);
}

template <class Start>
void MpiTransport::start_large(Token token, const Message& message, MPI_Count count, Start operation) {
  const LargeType large(mpi_, count, wire_.type);
  if (large.status() != MPI_SUCCESS) return fail(large.status());
  start(token, message, 1, large.get(), operation);
}
template void MpiTransport::start_large(Token, const Message&, MPI_Count, decltype(Native::Isend));
template void MpiTransport::start_large(Token, const Message&, MPI_Count, decltype(Native::Irecv));

// Some MPIs spin in MPI_Wait for a whole time slice while the rank that they wait for has no core.
void MpiTransport::wait_politely(MPI_Request& request) {
  for (int tries = 1;; ++tries) {
    int done = 0;
    const int status = mpi_.Test(&request, &done, MPI_STATUS_IGNORE);
    if (status != MPI_SUCCESS) return note_or_fail(status, request);
    if (done != 0) return;
    if (tries % patience_when_crowded == 0) sched_yield();
  }
}

void MpiTransport::gather_started() {
  for (std::size_t k = 0; k < started_count_; ++k) {
    tokens_[polled_count_] = started_[k];
    polled_[polled_count_++] = std::exchange(requests_[started_[k]], MPI_REQUEST_NULL);
  }
  started_count_ = 0;
}

// The last one moves into the gap.
void MpiTransport::remove(int position) {
  const int last = --polled_count_;
  polled_[position] = std::exchange(polled_[last], MPI_REQUEST_NULL);
  tokens_[position] = tokens_[last];
}

std::span<const Token> MpiTransport::poll() {
  gather_started();
  int count = 0;
  const int status = mpi_.Testsome(polled_count_, polled_.data(), &count, indices_.data(), statuses_.data());
  if (count == MPI_UNDEFINED) count = 0;
  if (status != MPI_SUCCESS) [[unlikely]] {
    int error_class = status;
    mpi_.Error_class(status, &error_class);
    error_class == MPI_ERR_IN_STATUS ? note_what_statuses_say(count) : fail(status);
  }
  if (count == 0) {
    nothing_came();
    return {};
  }
  empty_polls_ = 0;
  for (int k = 0; k < count; ++k) completed_[k] = tokens_[indices_[k]];
  // From the back, so that whatever moves into a gap is still under way.
  std::sort(indices_.begin(), indices_.begin() + count);
  for (int k = count; k-- > 0;) remove(indices_[k]);
  return {completed_.data(), static_cast<std::size_t>(count)};
}

void MpiTransport::note_what_statuses_say(int completed) {
  for (int k = 0; k < completed; ++k) {
    if (statuses_[k].MPI_ERROR != MPI_SUCCESS) note(statuses_[k].MPI_ERROR);
  }
}

void MpiTransport::nothing_came() {
  if (++empty_polls_ < (route_.crowded ? patience_when_crowded : patience)) return;
  empty_polls_ = 0;
  sched_yield();
}

void MpiTransport::abandon() {
  gather_started();
  for (std::vector<MPI_Request>* requests : {&requests_, &polled_}) {
    for (MPI_Request& request : *requests) {
      if (request == MPI_REQUEST_NULL) continue;
      mpi_.Cancel(&request);
      mpi_.Request_free(&request);
    }
  }
  polled_count_ = 0;
}

}  // namespace espalier
