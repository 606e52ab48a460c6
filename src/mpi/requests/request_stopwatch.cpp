// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/request_stopwatch.hpp"

#include <new>
#include <vector>

namespace espalier {

namespace {

struct FoundRequest {
  std::size_t place;
  MPI_Request handle;  // the function may put a null one there
  CountedRequest request;
};

// Of all stopwatches of a thread, which end in the reverse order: functions may be called from within others, by
// callbacks of the application's. Kept, so that a repeated call allocates nothing.
thread_local std::vector<FoundRequest> found_by_thread;

}  // namespace

void RequestStopwatch::begin(std::span<const MPI_Request> handles) {
  handles_ = handles;
  find();
  if (found_ != 0) begin_ = Clock::now();
}

// On allocation failure some are not timed.
void RequestStopwatch::find() noexcept try {
  first_found_ = found_by_thread.size();
  for (std::size_t place = 0; place < handles_.size(); ++place) {
    if (handles_[place] == MPI_REQUEST_NULL) continue;
    ++requests_;
    const auto request = all_.find(handles_[place]);
    if (!request) continue;
    found_by_thread.push_back({place, handles_[place], *request});
    ++found_;
  }
} catch (const std::bad_alloc&) {
}

void RequestStopwatch::end() {
  const Clock::duration part = (Clock::now() - begin_) / requests_;
  for (const FoundRequest& one : std::span(found_by_thread).subspan(first_found_, found_)) {
    const std::uint64_t calls = starts_ ? 1 : 0, bytes = starts_ ? one.request.bytes : 0;
    one.request.row->add_from_any_thread(calls, bytes, part);
    one.request.account.add(calls, bytes, part);
    const bool is_gone = !one.request.is_persistent && handles_[one.place] == MPI_REQUEST_NULL;
    if (is_gone) all_.remove(one.handle, one.request.number);
  }
  found_by_thread.resize(first_found_);
}

}  // namespace espalier
