// SPDX-License-Identifier: Apache-2.0
// A machine as Slurm describes it. Lists of names are those of host_list.hpp, lines those of conf_lines.hpp.
//
// A tree of switches (topology/tree), in topology.conf. The nodes of one leaf switch are one site; LinkSpeed is passed
// over, since nobody says in which unit it is.
//
//   SwitchName=s0 Nodes=tux[0-5,7]
//   SwitchName=s1 Nodes=tux[8-15]
//   SwitchName=s2 Switches=s[0-1]
//
// A torus (topology/3d_torus), by the names of the nodes, which end in X, Y and Z to base 36. What else stands in these
// lines is passed over, and so are all other lines in a file that says TopologyPlugin=topology/3d_torus.
//
//   NodeName=tux[000x333] CPUs=64
//
// What Slurm does not know stands in a comment:
//
//   # espalier: rate=2.5e9, nics=2, hop_seconds=2e-6, extents=4x4x4
//
//   rate         bytes per second of each link or NIC, each way; default_slurm_rate
//   nics         of each node, in a tree; 1
//   hop_seconds  what a message costs at each node
//   arithmetic   what one rank reduces, of each operand
//   extents      of a torus; up to the last node on each axis
#pragma once

#include <string>
#include <string_view>

#include "core/bad_description.hpp"
#include "topology/machine.hpp"

namespace espalier {

// Ten gigabits per second: the least that machines with a scheduler have had for years.
inline constexpr double default_slurm_rate = 1.25e9;

// Throws BadDescription. `file` is for messages only.
[[nodiscard]] Machine machine_from_slurm(std::string_view text, const std::string& file);

}  // namespace espalier
