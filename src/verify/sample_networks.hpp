// SPDX-License-Identifier: Apache-2.0
// Networks on which algorithms that need one are proved and tested: tori, meshes, lattices with holes and other graphs,
// with several ranks on some nodes, in any order.
#pragma once

#include <span>
#include <string>

#include "core/problem.hpp"

namespace espalier {

struct SampleNetwork {
  std::string name;  // "torus 3x4x5, 2 ranks per node"
  Shape shape;       // its network lives as long as the program
  int leaders = 0;   // of each node, which alone run the algorithm; 0: all ranks do
};

[[nodiscard]] std::span<const SampleNetwork> sample_networks();

}  // namespace espalier
