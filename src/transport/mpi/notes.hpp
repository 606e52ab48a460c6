// SPDX-License-Identifier: Apache-2.0
// What ranks report to a call's root of how calls went there. All agree of which calls each sends a note; or a note
// says that another one will follow it, whenever there is something to report. The root takes what has arrived, and
// nobody waits. (Paper 4, section 4.1, has MPI_Put for it.)
#pragma once

#include <sched.h>

#include <array>
#include <cstdint>

#include "core/clock.hpp"
#include "transport/mpi/outbox.hpp"
#include "transport/mpi/posted_receives.hpp"

namespace espalier {

struct Note {
  std::uint64_t from = 0;     // rank
  std::uint64_t context = 0;  // which of the communicator's
  std::uint64_t ordinal = 0;  // of the call, in its context
  std::array<double, 4> numbers{};
  std::uint64_t others_follow = 0;  // 1: the same rank sends another one, some day
};

// Of one communicator; used by the one thread that makes collective calls on it.
class Notes {
 public:
  explicit Notes(const MpiPeers& peers) : peers_(peers), outbox_(peers), posted_(peers) {}

  // By every rank but the root. Throws on allocation failure.
  void send(Rank root, const Note& note);
  // By the root: another one will come from each other rank. Throws on allocation failure.
  void expect();
  // `read(note)`: of those that have arrived.
  template <class Read>
  void take(Read read) {
    posted_.take(TagLayout::notes, [&](const Note& note) {
      if (note.others_follow != 0) posted_.expect(static_cast<Rank>(note.from));
      read(note);
    });
  }
  // Takes, and waits a little, until all that are expected have arrived and all of this rank's have left: before the
  // tags are given away, or the communicator dies.
  template <class Read>
  void drain(Read read) {
    for (const double begin = now(); !is_quiet() && now() - begin < max_wait; sched_yield()) {
      outbox_.forget_those_that_left();
      take(read);
    }
    posted_.withdraw();
  }
  // Whether that is so. Asks nobody.
  [[nodiscard]] bool is_quiet() const { return posted_.empty() && outbox_.empty(); }
  // Those that are still missing will arrive with tags that are no longer read.
  void forget_expected();

 private:
  // Seconds. Anyone who has not written by then has failed, or is very late.
  static constexpr double max_wait = 1;

  const MpiPeers& peers_;
  Outbox<Note, 8> outbox_;
  PostedReceives<Note, 8> posted_;
};

}  // namespace espalier
