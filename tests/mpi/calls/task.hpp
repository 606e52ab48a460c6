// SPDX-License-Identifier: Apache-2.0
// A call that all ranks make: what each gives in it, and what the collective's contract says that it gets. Each rank
// gives other numbers in each block, and reductions add up.
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

// The blocks in a buffer, by place. Uneven ones lie apart, the last one first.
struct Side {
  Held held;
  std::vector<int> counts, displacements;  // in elements

  // From the buffer's address to behind the last element.
  [[nodiscard]] int elements() const;
};
[[nodiscard]] Side input_side(const Task& task, Rank me);
[[nodiscard]] Side output_side(const Task& task, Rank me);

// An element of what a rank gives in a block, and of what rank `me` gets there.
[[nodiscard]] int given(Rank by, int label, int element);
[[nodiscard]] int expected(const Task& task, Rank me, int label, int element);

}  // namespace espalier
