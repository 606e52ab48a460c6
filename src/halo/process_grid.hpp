// SPDX-License-Identifier: Apache-2.0
// Ranks on a Cartesian grid, numbered as MPI_Cart_create does: the last dimension fastest. (MPI standard 4.1, 8.5.)
#pragma once

#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace espalier::halo {

struct ProcessGrid {
  std::vector<int> sizes;  // ranks in each dimension; none: it is unknown where ranks lie

  // Whether two or more of their coordinates differ: no link of a grid leads from one to the other. (Paper 3.)
  [[nodiscard]] bool are_diagonal(Rank one, Rank other) const {
    int differ = 0;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
      differ += one % *size != other % *size ? 1 : 0;
      one /= *size;
      other /= *size;
    }
    return differ > 1;
  }
};

// "3x4": of this many ranks. Anything else, or a grid of another number, is none.
[[nodiscard]] ProcessGrid process_grid_of(std::string_view text, Rank ranks);

}  // namespace espalier::halo
