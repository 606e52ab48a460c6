// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/notes.hpp"

#include <sched.h>

#include "core/clock.hpp"

namespace espalier {

namespace {

constexpr int note_words = sizeof(Note) / sizeof(std::uint64_t);

// Whoever has not written by then has failed, or is very late.
constexpr double max_wait = 1;  // seconds

}  // namespace

void Notes::send(Rank root, const Note& note) {
  outbox_.forget_those_that_left();
  outbox_.send(root, TagLayout::notes, note);
}

void Notes::expect() {
  expected_of_.resize(static_cast<std::size_t>(peers_.size));
  for (Rank rank = 0; rank < peers_.size; ++rank) {
    if (rank == peers_.me) continue;
    ++expected_of_[static_cast<std::size_t>(rank)];
    ++expected_;
  }
}

void Notes::forget_expected() {
  expected_ = 0;
  expected_of_.clear();
}

void Notes::drain() {
  for (const double begin = now(); !is_quiet() && now() - begin < max_wait; sched_yield()) {
    outbox_.forget_those_that_left();
    take([](const Note&) {});
  }
}

bool Notes::take_next(Rank from, Note& note) {
  const Native& mpi = *peers_.mpi;
  const int tag = peers_.first_tag + TagLayout::notes;
  const int source = peers_.world_ranks[from];
  int there = 0;
  if (mpi.Iprobe(source, tag, peers_.traffic, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS || there == 0) return false;
  if (mpi.Recv(&note, note_words, MPI_UINT64_T, source, tag, peers_.traffic, MPI_STATUS_IGNORE) != MPI_SUCCESS)
    return false;
  --expected_;
  --expected_of_[static_cast<std::size_t>(from)];
  return true;
}

}  // namespace espalier
