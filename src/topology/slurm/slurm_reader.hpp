// SPDX-License-Identifier: Apache-2.0
// A machine as Slurm's .conf files describe it. Lists of names are those of text/host_list.hpp, lines those of
// text/conf_lines.hpp; slurm_remarks.hpp has what a comment may add.
//
// A tree of switches (topology/tree), in topology.conf; LinkSpeed is passed over, since nobody says in which unit it
// is.
//
//   SwitchName=s0 Nodes=tux[0-5,7]
//   SwitchName=s1 Nodes=tux[8-15]
//   SwitchName=s2 Switches=s[0-1]
//
// Blocks (topology/block); BlockSizes are about planning, and are passed over.
//
//   BlockName=b0 Nodes=tux[0-7]
//   BlockSizes=8,16
//
// What `scontrol show topology` prints of either is read, too.
//
// Lines with NodeName next to these name the nodes that ALL stands for.
//
// A torus (topology/3d_torus), by the names of the nodes, which end in X, Y and Z to base 36. What else stands in these
// lines is passed over.
//
//   NodeName=tux[000x333] CPUs=64
//
// A file with a line TopologyPlugin says which of these it is, and its other lines are passed over.
#pragma once

#include <string>
#include <string_view>

#include "core/bad_description.hpp"
#include "topology/machine.hpp"
#include "topology/slurm/slurm_remarks.hpp"

namespace espalier {

// Throws BadDescription. `file` is for messages only.
[[nodiscard]] Machine machine_from_slurm(std::string_view text, const std::string& file);

}  // namespace espalier
