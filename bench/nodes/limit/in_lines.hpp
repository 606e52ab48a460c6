// SPDX-License-Identifier: Apache-2.0
// Short messages, in lines.
#pragma once

#include "../../harness/program.hpp"
#include "lines.hpp"
#include "work.hpp"

namespace bench {

// A barrier: each rank says that it is there.
class InFlags {
 public:
  explicit InFlags(MPI_Comm comm) : rank_(position_in(comm).rank), shared_(comm) {}

  void run(const Work&) {
    shared_->arrived[rank_].number.store(++calls_, std::memory_order_release);
    await(shared_->arrived[1 - rank_].number, calls_, wait_on);
  }

 private:
  struct Contents {
    LoneNumber arrived[2];
  };

  const int rank_;
  Shared<Contents> shared_;
  std::uint64_t calls_ = 0;
};

template <class Ring>
class InLines {
 public:
  // One rank's message has room in the ring, so that both may write before they read.
  static constexpr std::size_t most_doubles = Ring::length * Ring::doubles_per_line;

  explicit InLines(MPI_Comm comm)
      : shared_(comm),
        writer_(shared_->from[position_in(comm).rank]),
        reader_(shared_->from[1 - position_in(comm).rank]) {}

  void run(const Work& work) {
    each_line(work.sent_count, [&](std::size_t at, std::size_t count) { writer_.put(work.sent + at, count); });
    for (std::size_t i = 0; i < work.kept_count; ++i) work.kept_at[i] = work.kept[i];
    if (work.received_count == 0) return;
    each_line(work.received_count, [&](std::size_t at, std::size_t count) {
      const double* const theirs = reader_.next();
      double* const result = work.received + at;
      for (std::size_t i = 0; i < count; ++i) {
        result[i] = work.mine == nullptr ? theirs[i] : work.mine[at + i] + theirs[i];
      }
    });
    reader_.release();
  }

 private:
  struct Contents {
    Ring from[2];
  };

  template <class Visit>
  static void each_line(std::size_t count, Visit visit) {
    for (std::size_t at = 0; at < count; at += Ring::doubles_per_line) {
      visit(at, std::min(Ring::doubles_per_line, count - at));
    }
  }

  Shared<Contents> shared_;
  LineWriter<Ring> writer_;
  LineReader<Ring> reader_;
};

}  // namespace bench
