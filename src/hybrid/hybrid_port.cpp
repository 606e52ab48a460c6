// SPDX-License-Identifier: Apache-2.0
#include "hybrid/hybrid_port.hpp"

#include "core/log.hpp"
#include "transport/fabric/fabric.hpp"
#include "transport/mpi/make_progress.hpp"

namespace espalier {

namespace {

using namespace std::chrono_literals;

// Empty polls from one question to the native MPI to the next, while it has nothing of the run: others may wait for
// what it has to do.
constexpr int polls_between_mpi_progress = 8;
// Empty polls before a rank sleeps where ranks outnumber cores. What comes by the fabric wakes it; what the MPI has to
// do waits for the end of the backoff.
constexpr int polls_before_backoff = 400;
constexpr auto backoff_time = 1ms;
constexpr int backoffs_between_looks = 64;

}  // namespace

template <Port Inside>
HybridPort<Inside>::HybridPort(MpiEndpoint& endpoint, const Wire& wire)
    : names_(endpoint),
      peers_(endpoint.peers),
      fabric_(*endpoint.peers.fabric),
      inside_(endpoint, wire),
      by_fabric_(fabric_, {.world_ranks = endpoint.peers.world_ranks}) {}

template <Port Inside>
bool HybridPort<Inside>::is_on_this_host(Rank rank) const {
  if (peers_.host_of == nullptr) return false;
  const RankNumbers& host_of = *peers_.host_of;
  const auto host = [&](Rank one) { return host_of[static_cast<std::size_t>(peers_.world_ranks[one])]; };
  return host(rank) == host(peers_.me);
}

template <Port Inside>
bool HybridPort<Inside>::stays_inside(Token token, const Message& message) {
  const bool stays = message.path == over_mpi || is_on_this_host(message.peer);
  is_inside_[token] = stays ? 1 : 0;
  ++(stays ? inside_under_way_ : by_fabric_under_way_);
  return stays;
}

template <Port Inside>
void HybridPort<Inside>::reserve(std::size_t tokens) {
  inside_.reserve(tokens);
  by_fabric_.reserve(tokens);
  is_inside_.resize(tokens);
  polled_.reserve(tokens);
}

template <Port Inside>
void HybridPort<Inside>::open(const Reach& reach, std::vector<Opening> openings) {
  std::erase_if(openings,
                [&](const Opening& opening) { return opening.path == over_mpi || is_on_this_host(opening.peer); });
  by_fabric_.open(reach, std::move(openings));
}

template <Port Inside>
void HybridPort<Inside>::begin(std::uint64_t run, const RunMemory& memory) {
  inside_under_way_ = by_fabric_under_way_ = 0;
  inside_.begin(run, memory);
  by_fabric_.set_context(peers_.first_tag);
  by_fabric_.begin(names_.name_of(run), memory);
}

// A caller that waits for a message inside may have others under way by the fabric.
template <Port Inside>
bool HybridPort<Inside>::test(Token token) {
  const bool is_inside = is_inside_[token] != 0;
  if (!(is_inside ? inside_.test(token) : by_fabric_.test(token))) {
    if (is_inside && by_fabric_under_way_ > 0) by_fabric_.make_progress();
    return false;
  }
  note_end(token);
  empty_polls_ = backoffs_ = 0;
  note_if_first();
  return true;
}

template <Port Inside>
std::span<const Token> HybridPort<Inside>::poll() {
  polled_.clear();
  for (const Token token : by_fabric_.poll()) polled_.push_back(token);
  if (inside_under_way_ > 0) {
    for (const Token token : inside_.poll()) polled_.push_back(token);
  }
  for (const Token token : polled_) note_end(token);
  if (!polled_.empty()) {
    empty_polls_ = backoffs_ = 0;
    note_if_first();
  }
  return polled_;
}

// Sleeps where others want the processor, unless something may arrive from inside.
template <Port Inside>
void HybridPort<Inside>::back_off() {
  by_fabric_.idle();
  const bool asks_mpi = inside_under_way_ > 0 && inside_.goes_by_mpi();
  if (++empty_polls_ % polls_between_mpi_progress != 0 && !asks_mpi) return;
  if (peers_.crowded && empty_polls_ >= polls_before_backoff && inside_under_way_ == 0) {
    fabric_.sleep(backoff_time);
    if (++backoffs_ % backoffs_between_looks == 0) inside_.look();
  }
  make_progress(*peers_.mpi, peers_.traffic);
}

template <Port Inside>
void HybridPort<Inside>::idle() {
  back_off();
  by_fabric_under_way_ > 0 ? inside_.idle_awake() : inside_.idle();
}

template <Port Inside>
int HybridPort<Inside>::take_error() {
  const int from_inside = inside_.take_error();
  switch (by_fabric_.take_error()) {
    case 0: return from_inside;
    case lack_of_lanes: log_unreachable(""); return MPI_ERR_OTHER;
    case lack_of_descriptors:
      log_unreachable("; this process is out of file descriptors (ulimit -n)");
      return MPI_ERR_OTHER;
    case aborted_elsewhere: log_failed_peer("has aborted this call, so it is aborted here, too"); return MPI_ERR_OTHER;
    case lack_of_memory: return MPI_ERR_NO_MEM;
    case cancelled: return MPI_ERR_OTHER;
    case other_length:
      log_failed_peer("expects a message of another length than this one sends");
      return MPI_ERR_TRUNCATE;
    default: return MPI_ERR_INTERN;
  }
}

template <Port Inside>
void HybridPort<Inside>::log_unreachable(const char* reason) const {
  const Rank rank = by_fabric_.failed_peer();
  if (rank == no_rank) return;
  log_line(
      "libfabric: rank %d of MPI_COMM_WORLD unreachable on every network interface for %.0f s "
      "(ESPALIER_LANE_TIMEOUT)%s",
      rank, fabric_.options().lane_timeout.count(), reason);
}

template <Port Inside>
void HybridPort<Inside>::log_failed_peer(const char* what) const {
  log_line("rank %d of MPI_COMM_WORLD %s", by_fabric_.failed_peer(), what);
}

template <Port Inside>
void HybridPort<Inside>::end() {
  inside_.end();
  by_fabric_.end();
  first_message_ = nullptr;
}

template <Port Inside>
void HybridPort<Inside>::abandon() {
  inside_.abandon();
  by_fabric_.abandon();
  first_message_ = nullptr;
}

template class HybridPort<MpiPort>;
template class HybridPort<NodePort>;

}  // namespace espalier
