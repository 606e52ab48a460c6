// SPDX-License-Identifier: Apache-2.0
// A machine from whatever describes it. The file's name says which reader takes it:
//
//   *.conf   Slurm's topology.conf, or the NodeName lines of a slurm.conf (slurm/slurm_reader.hpp)
//   *.yaml   Slurm's topology.yaml; also *.yml (slurm/slurm_yaml_reader.hpp)
//   *.xml    hwloc's description of one node, which is no machine: refused, with what shows it (hwloc_reader.hpp)
//   others   TOML (toml_reader.hpp)
#pragma once

#include <string>
#include <string_view>

#include "core/bad_description.hpp"
#include "topology/machine.hpp"

namespace espalier {

// `file`: the name of what `text` was read from. Throws BadDescription.
[[nodiscard]] Machine read_machine(std::string_view text, const std::string& file);

}  // namespace espalier
