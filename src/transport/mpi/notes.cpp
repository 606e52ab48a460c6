// SPDX-License-Identifier: Apache-2.0
#include "transport/mpi/notes.hpp"

namespace espalier {

void Notes::send(Rank root, const Note& note) {
  outbox_.forget_those_that_left();
  outbox_.send(root, TagLayout::notes, note);
}

void Notes::expect() {
  for (Rank rank = 0; rank < peers_.size; ++rank) {
    if (rank != peers_.me) posted_.expect(rank);
  }
  posted_.post(TagLayout::notes);
}

void Notes::forget_expected() {
  outbox_.forget_those_that_left();
  posted_.forget_expected();
}

}  // namespace espalier
