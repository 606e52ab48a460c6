// SPDX-License-Identifier: Apache-2.0
// Algorithms of which one goes on with what the other has made.
#pragma once

#include "algorithms/algorithm.hpp"

namespace espalier {

// The build function of an algorithm that is the first, then the second: what the first one's contract says is its
// output is the second one's input. A message is cut in a block for each rank if they want that. No rank waits for the
// first to end: what flows through both is one stream where they let it.
template <const Algorithm& first, const Algorithm& second>
void then(Builder& b) {
  const Contract &before = contract_of(first.collective), &after = contract_of(second.collective);
  const bool has_own_blocks = b.contract().division != Division::by_algorithm;
  if (!has_own_blocks && before.division == Division::by_rank) b.cut(b.size());
  const bool gives = b.contract().has_input(b.rank(), b.root());
  Bundle made = b.perform(before, first.build, gives ? Bundle{b.input()} : Bundle{});
  made = b.perform(after, second.build, std::move(made));
  if (b.contract().has_output(b.rank(), b.root())) b.output(made);
}

}  // namespace espalier
