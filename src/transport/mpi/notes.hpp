// SPDX-License-Identifier: Apache-2.0
// What ranks tell a call's root of how the call went there: one note each, of calls on which all agree. The root takes
// what has come, and nobody waits. (Paper 4, section 4.1, has MPI_Put for it.)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "transport/mpi/outbox.hpp"

namespace espalier {

struct Note {
  std::uint64_t from = 0;     // rank
  std::uint64_t context = 0;  // which of the communicator's
  std::uint64_t ordinal = 0;  // of the call, in its context
  std::array<double, 4> told{};
};

// Of one communicator; used by the one thread that makes collective calls on it.
class Notes {
 public:
  explicit Notes(const MpiPeers& peers) : peers_(peers), outbox_(peers) {}

  // By every rank but the root. Throws for want of memory.
  void send(Rank root, const Note& note);
  // By the root: another one will come from each other rank. Throws for want of memory.
  void expect();
  // `read(note)`: of those that have come. Rank by rank (see leftovers.hpp), and no further once a few have none yet:
  // the next time it goes on there.
  template <class Read>
  void take(Read read) {
    int vain = 0;
    for (Rank asked = 0; asked < peers_.size && expected_ > 0 && vain < max_vain; ++asked) {
      next_asked_ = (next_asked_ + 1) % peers_.size;
      for (Note note; expected_of_[static_cast<std::size_t>(next_asked_)] > 0;) {
        if (!take_next(next_asked_, note)) {
          ++vain;
          break;
        }
        read(note);
      }
    }
  }
  // Waits a little until all that are expected have come, whatever they say, and all of this rank's have left: before
  // the tags are given away.
  void drain();
  // Whether that is so. Asks nobody.
  [[nodiscard]] bool is_quiet() const { return expected_ == 0 && outbox_.empty(); }
  // Those that are still missing will come to tags that are no longer read.
  void forget_expected();

 private:
  [[nodiscard]] bool take_next(Rank from, Note& note);

  static constexpr int max_vain = 4;

  const MpiPeers& peers_;
  std::uint64_t expected_ = 0;
  std::vector<std::uint32_t> expected_of_;  // by rank
  Rank next_asked_ = 0;
  Outbox<Note, 7> outbox_;
};

}  // namespace espalier
