// SPDX-License-Identifier: Apache-2.0
#include "hybrid/node_port.hpp"

#include <sched.h>

#include <algorithm>

#include "transport/mpi/make_progress.hpp"

namespace espalier {

namespace {

// Empty polls from one question to the native MPI to the next: others may wait for what it has to do, but a question
// takes as long as many a message.
constexpr unsigned polls_between_progress = 64;
// Empty polls from one yield to the next, where ranks outnumber cores and all is in memory: a poll takes some
// nanoseconds, and the rank that is waited for may want this core.
constexpr unsigned polls_between_yields = 4;
// Empty polls before a rank sleeps, where ranks outnumber cores: it has then yielded a hundred times, which is faster
// as long as others need their cores for a short time only. Elsewhere nobody wants its core, and it goes on to look.
constexpr unsigned polls_before_sleep = 5000;
// The longer it has slept, the longer it sleeps: the native MPI may have to do something for others meanwhile.
constexpr std::chrono::milliseconds first_sleep{1}, longest_sleep{4};
constexpr int sleeps_of_one_length = 100;
constexpr int sleeps_between_looks = 16;

}  // namespace

NodePort::NodePort(MpiEndpoint& endpoint, const Wire& wire)
    : names_(endpoint),
      peers_(endpoint.peers),
      by_mpi_(endpoint, wire),
      by_memory_(*endpoint.peers.node,
                 {.world_ranks = endpoint.peers.world_ranks, .processes = *endpoint.peers.processes}) {}

void NodePort::reserve(std::size_t tokens) {
  by_mpi_.reserve(tokens);
  by_memory_.reserve(tokens);
  is_by_mpi_.resize(tokens);
  polled_.reserve(tokens);
}

void NodePort::begin(std::uint64_t run, const RunMemory& memory) {
  by_mpi_under_way_ = 0;
  call_ = run;
  empty_polls_ = 0;
  sleeps_ = 0;
  by_mpi_.begin(run, memory);
  by_memory_.set_context(static_cast<std::uint32_t>(peers_.first_tag));
  by_memory_.begin(names_.name_of(run), memory);
}

// A caller that waits for a message of the MPI may have others under way.
bool NodePort::test(Token token) {
  if (is_by_mpi_[token] == 0) [[likely]] {
    if (!by_memory_.test(token)) return false;
  } else if (by_mpi_.test(token)) {
    --by_mpi_under_way_;
  } else {
    by_memory_.make_progress();
    return false;
  }
  note_arrival();
  return true;
}

std::span<const Token> NodePort::poll() {
  const std::span<const Token> by_memory = by_memory_.poll();
  if (by_mpi_under_way_ == 0) [[likely]] {
    if (!by_memory.empty()) note_arrival();
    return by_memory;
  }
  polled_.assign(by_memory.begin(), by_memory.end());
  const std::span<const Token> by_mpi = by_mpi_.poll();
  by_mpi_under_way_ -= by_mpi.size();
  polled_.insert(polled_.end(), by_mpi.begin(), by_mpi.end());
  if (!polled_.empty()) note_arrival();
  return polled_;
}

void NodePort::back_off() {
  if (++empty_polls_ % polls_between_progress == 0) make_progress(*peers_.mpi, peers_.traffic);
}

void NodePort::idle() {
  const bool may_sleep = peers_.crowded && by_mpi_under_way_ == 0 && empty_polls_ >= polls_before_sleep;
  if (!may_sleep) return idle_awake();
  back_off();
  sleep();
}

void NodePort::idle_awake() {
  back_off();
  if (peers_.crowded && by_mpi_under_way_ == 0 && empty_polls_ % polls_between_yields == 0) sched_yield();
  by_mpi_.idle([&] { return rank_past(); });
}

// What comes through shared memory wakes it; what the native MPI has to do waits for the end of the sleep.
void NodePort::sleep() {
  const auto length = std::min(first_sleep * (1 + sleeps_ / sleeps_of_one_length), longest_sleep);
  empty_polls_ -= by_memory_.sleep(length) ? polls_between_progress : 1U;  // and sleeps again soon, or at once
  make_progress(*peers_.mpi, peers_.traffic);
  if (++sleeps_ % sleeps_between_looks == 0) by_mpi_.look_around([&] { return rank_past(); });
}

StepOfRank NodePort::rank_past() {
  for (Rank rank = 0; rank < peers_.size; ++rank) {
    const auto run = by_memory_.run_past(rank);
    if (run && RunNames::number_of(*run) > call_) return {rank, {.call = RunNames::number_of(*run)}};
  }
  return {};
}

int NodePort::take_error() {
  const int of_mpi = by_mpi_.take_error();
  switch (by_memory_.take_error()) {
    case 0: return of_mpi;
    case cut_off_in_memory: return MPI_ERR_TRUNCATE;
    case no_memory_left: return MPI_ERR_NO_MEM;
    default: return MPI_ERR_INTERN;
  }
}

void NodePort::end() {
  by_mpi_.end();
  by_memory_.end();
  first_message_ = nullptr;
}

void NodePort::abandon() {
  by_mpi_.abandon();
  by_memory_.abandon();
  first_message_ = nullptr;
}

}  // namespace espalier
