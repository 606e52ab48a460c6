// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/notes.hpp"

#include <sched.h>

#include "core/clock.hpp"

namespace espalier {

namespace {

// Whoever has not written by then has failed, or is very late.
constexpr double max_wait = 1;  // seconds

}  // namespace

void Notes::send(Rank root, const Note& note) {
  outbox_.forget_those_that_left();
  outbox_.send(root, TagLayout::notes, note);
}

void Notes::expect() {
  for (Rank rank = 0; rank < peers_.size; ++rank) {
    if (rank != peers_.me) posted_.expect(rank);
  }
}

void Notes::drain() {
  for (const double begin = now(); !is_quiet() && now() - begin < max_wait; sched_yield()) {
    outbox_.forget_those_that_left();
    take([](const Note&) {});
  }
  posted_.withdraw();
}

}  // namespace espalier
