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
// Empty polls before a rank sleeps where ranks outnumber cores. What comes by the fabric wakes it; what comes by the
// MPI waits for the end of the backoff.
constexpr int polls_before_backoff = 400;
constexpr auto backoff_time = 1ms;
constexpr int backoffs_between_looks = 64;

}  // namespace

HybridPort::HybridPort(MpiEndpoint& endpoint, const Wire& wire)
    : names_(endpoint),
      peers_(endpoint.peers),
      fabric_(*endpoint.peers.fabric),
      by_mpi_(endpoint, wire),
      by_fabric_(fabric_, {.world_ranks = endpoint.peers.world_ranks}) {}

bool HybridPort::is_on_this_host(Rank rank) const {
  if (peers_.host_of == nullptr) return false;
  const std::vector<int>& host_of = *peers_.host_of;
  const auto host = [&](Rank one) { return host_of[static_cast<std::size_t>(peers_.world_ranks[one])]; };
  return host(rank) == host(peers_.me);
}

bool HybridPort::goes_by_mpi(Token token, const Message& message) {
  const bool by_mpi = message.path == over_mpi || is_on_this_host(message.peer);
  is_by_mpi_[token] = by_mpi ? 1 : 0;
  ++(by_mpi ? by_mpi_under_way_ : by_fabric_under_way_);
  return by_mpi;
}

void HybridPort::reserve(std::size_t tokens) {
  by_mpi_.reserve(tokens);
  by_fabric_.reserve(tokens);
  is_by_mpi_.resize(tokens);
  polled_.reserve(tokens);
}

void HybridPort::open(const Reach& reach, std::vector<Opening> openings) {
  std::erase_if(openings,
                [&](const Opening& opening) { return opening.path == over_mpi || is_on_this_host(opening.peer); });
  by_fabric_.open(reach, std::move(openings));
}

void HybridPort::begin(std::uint64_t run, const RunMemory& memory) {
  by_mpi_under_way_ = by_fabric_under_way_ = 0;
  by_mpi_.begin(run, memory);
  by_fabric_.set_context(peers_.first_tag);
  by_fabric_.begin(names_.name_of(run), memory);
}

// A caller that waits for a message of the MPI may have others under way by the fabric.
bool HybridPort::test(Token token) {
  const bool by_mpi = is_by_mpi_[token] != 0;
  if (!(by_mpi ? by_mpi_.test(token) : by_fabric_.test(token))) {
    if (by_mpi && by_fabric_under_way_ > 0) by_fabric_.make_progress();
    return false;
  }
  note_end(token);
  empty_polls_ = backoffs_ = 0;
  note_if_first();
  return true;
}

std::span<const Token> HybridPort::poll() {
  polled_.clear();
  for (const Token token : by_fabric_.poll()) polled_.push_back(token);
  if (by_mpi_under_way_ > 0) {
    for (const Token token : by_mpi_.poll()) polled_.push_back(token);
  }
  for (const Token token : polled_) note_end(token);
  if (!polled_.empty()) {
    empty_polls_ = backoffs_ = 0;
    note_if_first();
  }
  return polled_;
}

// Sleeps where others want the processor, unless something may arrive by the MPI.
void HybridPort::back_off() {
  by_fabric_.idle();
  if (++empty_polls_ % polls_between_mpi_progress != 0 && by_mpi_under_way_ == 0) return;
  if (peers_.crowded && empty_polls_ >= polls_before_backoff && by_mpi_under_way_ == 0) {
    fabric_.sleep(backoff_time);
    if (++backoffs_ % backoffs_between_looks == 0) by_mpi_.look();
  }
  make_progress(*peers_.mpi, peers_.traffic);
}

void HybridPort::idle() {
  back_off();
  by_mpi_.idle();
}

int HybridPort::take_error() {
  const int of_mpi = by_mpi_.take_error();
  switch (by_fabric_.take_error()) {
    case 0: return of_mpi;
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

void HybridPort::log_unreachable(const char* reason) const {
  const Rank rank = by_fabric_.failed_peer();
  if (rank == no_rank) return;
  log_line(
      "libfabric: rank %d of MPI_COMM_WORLD unreachable on every network interface for %.0f s "
      "(ESPALIER_LANE_TIMEOUT)%s",
      rank, fabric_.options().lane_timeout.count(), reason);
}

void HybridPort::log_failed_peer(const char* what) const {
  log_line("rank %d of MPI_COMM_WORLD %s", by_fabric_.failed_peer(), what);
}

void HybridPort::end() {
  by_mpi_.end();
  by_fabric_.end();
  first_message_ = nullptr;
}

void HybridPort::abandon() {
  by_mpi_.abandon();
  by_fabric_.abandon();
  first_message_ = nullptr;
}

}  // namespace espalier
