// SPDX-License-Identifier: Apache-2.0
#include "topology/readers/read_machine.hpp"

#include "topology/readers/toml_reader.hpp"
#include "topology/slurm/slurm_reader.hpp"
#include "topology/slurm/slurm_yaml_reader.hpp"

namespace espalier {

Machine read_machine(std::string_view text, const std::string& file) {
  if (file.ends_with(".conf")) return machine_from_slurm(text, file);
  if (file.ends_with(".yaml") || file.ends_with(".yml")) return machine_from_slurm_yaml(text, file);
  if (file.ends_with(".xml")) {
    throw BadDescription(
        file, 1,
        "hwloc describes one node, not how nodes are joined; allowed: TOML, or a .conf or .yaml of Slurm's "
        "(`espalier topo --hwloc FILE` shows the node)");
  }
  return machine_from_toml(text, file);
}

}  // namespace espalier
