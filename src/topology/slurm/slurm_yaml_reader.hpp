// SPDX-License-Identifier: Apache-2.0
// A machine as Slurm's topology.yaml describes it, of the topologies there the one that Slurm takes by default: the
// first with cluster_default, or else the first. text/yaml.hpp says how much of YAML is read, slurm_remarks.hpp what a
// comment may add. Each topology is one of these:
//
//   - topology: a
//     cluster_default: true
//     tree:
//       switches:
//         - switch: s0
//           nodes: tux[0-5,7]
//         - switch: s1
//           children: s0
//   - topology: b
//     block:
//       block_sizes: [8, 16]              # passed over
//       blocks:
//         - block: b0
//           nodes: tux[0-7]
//   - topology: c
//     ring:
//       rings:
//         - ring: r0
//           nodes: tux[0-7]               # in the ring's order
//   - topology: d
//     torus3d:
//       toruses:
//         - name: pod0
//           dims: {x: 4, y: 2, z: 2}
//           nodes: tux[00-15]             # x fastest; or else
//           regions:                      # boxes of it
//             - anchor: {x: 0, y: 0, z: 0}
//               dims: {x: 4, y: 2, z: 1}
//               nodes: tux[00-07]
//           placements: ...               # passed over
//   - topology: e
//     flat: true                          # all nodes on one switch
#pragma once

#include <string>
#include <string_view>

#include "core/bad_description.hpp"
#include "topology/machine.hpp"

namespace espalier {

// Throws BadDescription. `file` is for messages only.
[[nodiscard]] Machine machine_from_slurm_yaml(std::string_view text, const std::string& file);

}  // namespace espalier
