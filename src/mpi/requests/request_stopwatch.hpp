// SPDX-License-Identifier: Apache-2.0
// Times a function that takes requests, from the making of this to its end, for the rows of the collective calls that
// are behind some of them. Of several requests each has an equal part in the time, also those that are none of these.
#pragma once

#include <span>

#include "mpi/requests/counted_requests.hpp"

namespace espalier {

class RequestStopwatch {
 public:
  // `starts`: the function is MPI_Start or MPI_Startall, so that each is a call.
  RequestStopwatch(CountedRequests& all, int count, const MPI_Request* handles, bool starts = false)
      : all_(all), starts_(starts) {
    if (!all.empty() && count > 0 && handles != nullptr) [[unlikely]]
      begin({handles, static_cast<std::size_t>(count)});
  }
  ~RequestStopwatch() {
    if (found_ != 0) [[unlikely]]
      end();
  }
  RequestStopwatch(const RequestStopwatch&) = delete;
  RequestStopwatch& operator=(const RequestStopwatch&) = delete;

 private:
  void begin(std::span<const MPI_Request> handles);
  void find() noexcept;
  void end();

  CountedRequests& all_;
  const bool starts_;
  std::size_t found_ = 0;
  std::size_t first_found_ = 0;  // in memory of this thread's
  std::span<const MPI_Request> handles_;
  int requests_ = 0;
  Clock::time_point begin_;
};

}  // namespace espalier
