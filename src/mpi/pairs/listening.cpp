// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/listening.hpp"

#include <new>

#include "mpi/pairs/pair_words.hpp"
#include "transport/fabric/fabric.hpp"

namespace espalier {

// What fails for lack of memory is asked for again later.
void listen_to_pairs(Fabric& fabric, Rank from, const FabricWord& word) noexcept try {
  const std::shared_ptr<Pairs> pairs = Pairs::find(word.run.context);
  if (const auto answer = take_word(pairs.get(), from, word)) fabric.send_word(from, *answer);
} catch (const std::bad_alloc&) {
}

}  // namespace espalier
