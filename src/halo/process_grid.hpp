// SPDX-License-Identifier: Apache-2.0
// Ranks on a Cartesian grid, numbered as MPI_Cart_create does: the last dimension fastest. (MPI standard 4.1, 8.5.)
#pragma once

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

}  // namespace espalier::halo
