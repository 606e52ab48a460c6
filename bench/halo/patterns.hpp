// SPDX-License-Identifier: Apache-2.0
// Who sends how much to whom in an exchange of halos. One rank's part; the parts of all ranks fit.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace bench {

struct Block {
  int peer = 0;
  std::size_t bytes = 0;
};

// What is sent, and what comes. Blocks of one sender come in the order in which they are sent.
struct Pattern {
  std::vector<Block> sent, received;
  bool is_alike = false;  // a rank sends all its neighbours the same
  std::vector<int> grid;  // ranks in each dimension of the periodic grid on which they lie; none: they lie on none
};

// By name, of this many ranks; `longest`: bytes of the longest block, or about so.
//   scale      the 14 puts of the weather model SCALE-LES3 on a periodic grid (paper 3)
//   stencil    a cube's 26 neighbours, periodic: faces, edges, corners
//   alike      the same neighbours, and one block for all of them
//   irregular  as a sparse matrix joins its parts: few neighbours or many, far and near, long and short
[[nodiscard]] Pattern pattern_of(const std::string& name, std::size_t longest, int rank, int ranks);

}  // namespace bench
