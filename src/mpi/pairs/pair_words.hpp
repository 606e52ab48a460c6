// SPDX-License-Identifier: Apache-2.0
// What the two ends of paired messages ask and answer each other, in words of the fabric. A question is about one
// start, and says who asks; the answer repeats that, so that it finds its sender again. No NIC and no clock is needed
// here.
#pragma once

#include <optional>

#include "mpi/communicators/pairs.hpp"
#include "transport/fabric/wire/wire.hpp"

namespace espalier {

struct PairEnd {
  PairSide side = PairSide::sends;
  Rank peer = no_rank;
  int tag = 0;
};

// Whether there is anything at the other end for a start of that number, and of this many bytes.
[[nodiscard]] FabricWord question_of(const PairEnd& asker, std::uint64_t number, std::size_t bytes,
                                     std::uint64_t pairs);

// Takes in the word of a rank of the world, and returns what it is to be answered, if it is a question. `pairs`: those
// that it is about; null: there are none here any more.
[[nodiscard]] std::optional<FabricWord> take_word(Pairs* pairs, Rank from, const FabricWord& word);

}  // namespace espalier
