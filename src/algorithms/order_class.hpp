// SPDX-License-Identifier: Apache-2.0
// In which order an algorithm adds.
#pragma once

#include <string_view>

namespace espalier {

// All algorithms with the same name here give each element by the same tree of additions, but for which of two operands
// stands left: so with an operation that commutes they give the same bits, for any number of ranks, root and network.
// One without a root gives those of root 0. The verifier checks the claim.
struct OrderClass {
  std::string_view name;        // empty: nothing is added
  bool depends_on_cut = false;  // on the size of segments or on the radix; never on the window
};

}  // namespace espalier
