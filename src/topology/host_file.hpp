// SPDX-License-Identifier: Apache-2.0
// The files that tell launchers on which hosts a job runs: a host in each line, comments from # on.
//
//   n01 slots=2     Open MPI's; max_slots and user are passed over
//   n01:2           MPICH's; binding, ifname and user are passed over
//   n01             one rank
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/bad_description.hpp"
#include "topology/machine.hpp"

namespace espalier {

// Each rank's node: ranks fill the lines in order. Throws BadDescription, also where the machine has no such node.
[[nodiscard]] std::vector<int> nodes_of_ranks(std::string_view text, const std::string& file, const Machine& machine);

}  // namespace espalier
