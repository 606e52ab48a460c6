// SPDX-License-Identifier: Apache-2.0
// Messages in pieces, through a few slots that stay in the caches: one rank fills a slot while the other one empties
// another.
#pragma once

#include <algorithm>
#include <cstring>

#include "../../harness/program.hpp"
#include "lines.hpp"
#include "sum.hpp"
#include "work.hpp"

namespace bench {

template <std::size_t piece_bytes>
class InSlots {
 public:
  explicit InSlots(MPI_Comm comm)
      : shared_(comm),
        mine_(shared_->from[position_in(comm).rank]),
        theirs_(shared_->from[1 - position_in(comm).rank]) {}

  void run(const Work& work) {
    const std::size_t end = std::max({work.sent_count, work.received_count, work.kept_count});
    for (std::size_t at = 0; at < end; at += piece) {
      if (at < work.sent_count) fill(work.sent + at, std::min(piece, work.sent_count - at));
      if (at < work.kept_count) copy(work.kept_at + at, work.kept + at, std::min(piece, work.kept_count - at));
      if (at < work.received_count) empty(work, at, std::min(piece, work.received_count - at));
    }
  }

 private:
  static constexpr std::size_t slots = 4, piece = piece_bytes / sizeof(double);

  struct Slot {
    alignas(4096) double data[piece];
  };
  struct Direction {
    LoneNumber filled[slots];
    LoneNumber emptied;
    Slot slot[slots];
  };
  struct Contents {
    Direction from[2];
  };

  static void copy(double* to, const double* from, std::size_t count) { std::memcpy(to, from, count * sizeof(double)); }

  void fill(const double* data, std::size_t count) {
    if (filled_ - seen_emptied_ == slots) await_room();
    copy(mine_.slot[filled_ % slots].data, data, count);
    Number& number = mine_.filled[filled_ % slots].number;
    number.store(++filled_, std::memory_order_release);
  }

  void await_room() {
    await(mine_.emptied.number, filled_ - slots + 1, wait_on);
    seen_emptied_ = mine_.emptied.number.load(std::memory_order_acquire);
  }

  void empty(const Work& work, std::size_t at, std::size_t count) {
    const std::size_t slot = emptied_ % slots;
    await(theirs_.filled[slot].number, ++emptied_, wait_on);
    if (work.mine != nullptr) {
      add(work.received + at, work.mine + at, theirs_.slot[slot].data, count);
    } else {
      copy(work.received + at, theirs_.slot[slot].data, count);
    }
    theirs_.emptied.number.store(emptied_, std::memory_order_release);
  }

  Shared<Contents> shared_;
  Direction& mine_;
  Direction& theirs_;
  std::uint64_t filled_ = 0, seen_emptied_ = 0, emptied_ = 0;
};

}  // namespace bench
