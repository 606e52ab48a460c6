// SPDX-License-Identifier: Apache-2.0
// A call that all ranks make, as the collective's contract has it: which blocks lie where in each rank's buffers, and
// whose contributions each rank gets.
#pragma once

#include <vector>

#include "contract/contract.hpp"

namespace espalier {

struct Task {
  Collective collective = Collective::barrier;
  Rank size = 1;
  int count = 0;           // elements of each block
  bool is_uneven = false;  // blocks have counts of their own, which do not say who sends to whom; some are empty
  Rank root = 0;

  [[nodiscard]] const Contract& contract() const { return contract_of(collective); }
};

// The blocks in a buffer, by place. Uneven ones lie apart, the last one first, but for those of reductions.
struct Side {
  Held held;
  std::vector<int> counts, displacements;  // in elements

  // From the buffer's address to behind the last element.
  [[nodiscard]] int elements() const;
};
[[nodiscard]] Side input_side(const Task& task, Rank me);
[[nodiscard]] Side output_side(const Task& task, Rank me);
// The input in the output buffer, of a rank that gives in place.
[[nodiscard]] Side input_side_in_place(const Task& task, Rank me);

// Whether a rank that wants to give in place does. It may not where the contract leaves no choice.
[[nodiscard]] bool is_in_place(const Task& task, Rank me, bool wanted);

// What rank `me` gets in an element, if reductions add up: given(by whom, label, element).
template <class Given>
[[nodiscard]] auto sum_of(const Task& task, Rank me, int label, int element, Given given) {
  const RankRange sources = sources_of(task.contract(), label, me, task.root, task.size);
  decltype(given(0, label, element)) sum = 0;
  for (Rank rank = sources.first; rank < sources.first + sources.count; ++rank) sum += given(rank, label, element);
  return sum;
}

}  // namespace espalier
