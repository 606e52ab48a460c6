// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/call_watch.hpp"

#include <algorithm>

#include "transport/mpi/leftovers.hpp"

namespace espalier {

namespace {

constexpr int notice_words = 2;

}  // namespace

CallState CallWatch::look() {
  take_notices();
  const auto notice = std::ranges::find(ahead_, call_, &Notice::call);
  if (notice != ahead_.end()) {
    error_ = static_cast<int>(notice->error_class);
    return CallState::failed_elsewhere;
  }
  return is_broken() ? CallState::broken : CallState::goes_on;
}

bool CallWatch::is_broken() const {
  if (!route_.fault_tolerant) return false;
  const Native& mpi = *route_.mpi;
  int revoked = 0;
  if (mpi.Comm_is_revoked(route_.application, &revoked) == MPI_SUCCESS && revoked != 0) return true;
  MPI_Group failed = MPI_GROUP_NULL;
  int count = 0;
  if (mpi.Comm_get_failed(route_.application, &failed) != MPI_SUCCESS) return false;
  mpi.Group_size(failed, &count);
  mpi.Group_free(&failed);
  return count > 0;
}

void CallWatch::take_notices() {
  std::erase_if(ahead_, [&](const Notice& notice) { return notice.call < call_; });
  for (Notice notice; take_notice(notice);) {
    if (notice.call >= call_) ahead_.push_back(notice);
  }
}

bool CallWatch::take_notice(Notice& notice) {
  const Native& mpi = *route_.mpi;
  const int tag = route_.first_tag + TagLayout::notices;
  int there = 0;
  MPI_Status status;
  if (mpi.Iprobe(MPI_ANY_SOURCE, tag, route_.traffic, &there, &status) != MPI_SUCCESS || there == 0) return false;
  return mpi.Recv(&notice, notice_words, MPI_UINT64_T, status.MPI_SOURCE, tag, route_.traffic, MPI_STATUS_IGNORE) ==
         MPI_SUCCESS;
}

void CallWatch::discard_leftovers_of_call() {
  const int offset = route_.tags.offset(call_);
  if (std::erase(unclean_, offset) == 0) return;
  for (int lane = 0; lane < max_lanes; ++lane) {
    discard_leftovers(*route_.mpi, route_.traffic, route_.first_tag + offset + lane);
  }
}

// Messages so short leave at once, or never.
void CallWatch::announce(int error_class) {
  const Native& mpi = *route_.mpi;
  take_notices();
  mark_unclean();
  mine_ = {call_, static_cast<std::uint64_t>(error_class)};
  for (Rank rank = 0; rank < route_.size; ++rank) {
    if (rank == route_.me) continue;
    MPI_Request request = MPI_REQUEST_NULL;
    mpi.Isend(&mine_, notice_words, MPI_UINT64_T, route_.world_ranks[rank], route_.first_tag + TagLayout::notices,
              route_.traffic, &request);
    if (request != MPI_REQUEST_NULL) mpi.Request_free(&request);
  }
}

}  // namespace espalier
