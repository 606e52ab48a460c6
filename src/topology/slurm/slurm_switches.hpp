// SPDX-License-Identifier: Apache-2.0
// The machine of Slurm's switches (topology/tree) or blocks (topology/block): the nodes of each leaf switch, or of each
// block, are one site. What is above them may be any network without a ring: it changes nothing else.
#pragma once

#include <string>
#include <vector>

#include "topology/machine.hpp"
#include "topology/slurm/slurm_remarks.hpp"
#include "topology/slurm/slurm_source.hpp"

namespace espalier {

struct SlurmSwitch {
  std::string name;
  int line = 0;
  std::string nodes;     // a list; empty: it has none
  std::string switches;  // likewise
};

// Throws BadDescription. `kind`: what they are called ("switch", "block").
[[nodiscard]] Machine machine_of_switches(const std::vector<SlurmSwitch>& switches, const char* kind,
                                          const SlurmRemarks& remarks, SlurmSource& source);

}  // namespace espalier
