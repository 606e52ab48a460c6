// SPDX-License-Identifier: Apache-2.0
// The machine of Slurm's toruses and rings (topology/3d_torus, topology/torus3d, topology/ring).
#pragma once

#include <string>
#include <vector>

#include "topology/machine.hpp"
#include "topology/slurm/slurm_remarks.hpp"
#include "topology/slurm/slurm_source.hpp"

namespace espalier {

struct SlurmTorus {
  // Nodes that fill a box of its places, the first axis fastest.
  struct PlacedRegion {
    int line = 0;
    Coordinates anchor;        // its first place
    std::vector<int> extents;  // of the box
    std::vector<std::string> nodes;
  };

  std::string name;  // empty: it has none
  int line = 0;
  std::vector<int> extents;
  std::vector<PlacedRegion> regions;
};

// A lattice if there is one; several make a graph, with no link from one to another. Throws BadDescription.
[[nodiscard]] Machine machine_of_toruses(const std::vector<SlurmTorus>& toruses, const SlurmRemarks& remarks,
                                         const SlurmSource& source);

}  // namespace espalier
