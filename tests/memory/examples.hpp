// SPDX-License-Identifier: Apache-2.0
// What might have been learnt.
#pragma once

#include "memory/memory_text.hpp"

namespace espalier {

inline Placement eight_ranks() {
  return {.mpi = "Open MPI v5.0.11", .ranks_of_nodes = "4 4", .ranks = 8, .nodes = 2, .cores = 4};
}

inline ContextMemory broadcasts(Rank root, double seconds) {
  const Problem problem{.collective = Collective::bcast, .root = root, .count = 1 << 20};
  return {context_of(problem), 300, {{"chain,segment=64KiB,window=4", seconds, .02}, {"native", 2 * seconds, .05}}};
}

inline ContextMemory sums() {
  const Problem problem{
      .collective = Collective::allreduce, .count = 100, .element_bytes = 8, .arithmetic = Arithmetic::commutative};
  return {context_of(problem), 77, {{"ring,segment=0,window=4", 1e-5, .1}}};
}

inline PlacementMemory example() {
  return {.library = "1.2.3", .placement = eight_ranks(), .contexts = {broadcasts(3, 1e-3), sums()}};
}

}  // namespace espalier
