// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/call_watch.hpp"

#include <algorithm>
#include <new>

namespace espalier {

namespace {

// Ranks that are asked for a notice at each look; the next look goes on with others.
constexpr Rank ranks_per_look = 16;

}  // namespace

CallState CallWatch::look(std::uint64_t call) noexcept {
  take_notices();
  const auto notice =
      std::ranges::find_if(known_, [&](const Notice& one) { return one.call == call || one.call == every_call; });
  if (notice != known_.end()) {
    error_ = static_cast<int>(notice->error_class);
    return CallState::failed_elsewhere;
  }
  return is_broken() ? CallState::broken : CallState::goes_on;
}

// A message of an earlier call says nothing: one that failed may have left it.
std::optional<CallPosition> CallWatch::other_step_of(Rank from, const CallPosition& mine) const noexcept {
  MPI_Status status;
  int there = 0;
  const int asked = peers_.mpi->Iprobe(peers_.world_ranks[from], MPI_ANY_TAG, peers_.traffic, &there, &status);
  const int tag = status.MPI_TAG - peers_.first_tag;
  if (asked != MPI_SUCCESS || there == 0 || !peers_.tags.are_ours(tag)) return std::nullopt;
  const int channel = TagLayout::channel_of(tag);
  if (channel == TagLayout::notices) return std::nullopt;  // or notes
  const auto calls = static_cast<std::uint64_t>(peers_.tags.calls);
  const std::uint64_t ahead = (TagLayout::call_of(tag) - mine.call) & (calls - 1);
  const CallPosition other{mine.call + ahead, channel == TagLayout::shared};
  return other == mine || ahead >= calls / 2 ? std::nullopt : std::optional(other);
}

bool CallWatch::is_broken() const {
  if (!peers_.fault_tolerant) return false;
  const Native& mpi = *peers_.mpi;
  int revoked = 0;
  if (mpi.Comm_is_revoked(peers_.application, &revoked) == MPI_SUCCESS && revoked != 0) return true;
  MPI_Group failed = MPI_GROUP_NULL;
  int count = 0;
  if (mpi.Comm_get_failed(peers_.application, &failed) != MPI_SUCCESS) return false;
  mpi.Group_size(failed, &count);
  mpi.Group_free(&failed);
  return count > 0;
}

void CallWatch::take_notices() noexcept try {
  outbox_.forget_those_that_left();
  std::erase_if(known_, [&](const Notice& notice) { return notice.call < oldest_; });
  for (Rank k = 0; k < std::min(ranks_per_look, peers_.size); ++k) {
    next_asked_ = (next_asked_ + 1) % peers_.size;
    for (Notice notice; take_notice(next_asked_, notice);) {
      if (notice.call >= oldest_) known_.push_back(notice);
    }
  }
} catch (const std::bad_alloc&) {
  // This notice is lost: the rank then waits as it would without notices.
}

bool CallWatch::take_notice(Rank from, Notice& notice) {
  const Native& mpi = *peers_.mpi;
  const int tag = peers_.first_tag + TagLayout::notices;
  const int source = peers_.world_ranks[from];
  int there = 0;
  if (mpi.Iprobe(source, tag, peers_.traffic, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS || there == 0) return false;
  return mpi.Recv(&notice, notice_words, MPI_UINT64_T, source, tag, peers_.traffic, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

void CallWatch::announce(std::uint64_t call, int error_class) noexcept try {
  take_notices();
  clean_ = false;
  for (Rank rank = 0; rank < peers_.size; ++rank) {
    if (rank != peers_.me) outbox_.send(rank, TagLayout::notices, {call, static_cast<std::uint64_t>(error_class)});
  }
  outbox_.forget_those_that_left();
} catch (const std::bad_alloc&) {
  // The ranks that are not told wait as they would without notices.
}

}  // namespace espalier
