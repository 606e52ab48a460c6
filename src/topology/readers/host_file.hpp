// SPDX-License-Identifier: Apache-2.0
// The files that tell launchers on which hosts a job runs: a host in each line, comments from # on, or from // on.
//
//   n01 slots=2     Open MPI's, also with cpu or count; max_slots says it where these do not
//   n01:2           MPICH's
//   n01             one rank
//
// A user (user@n01, or a key), and what tells how to reach a host or to bind there, is passed over. Lines of Open MPI's
// that name no host are refused: any but ^n01, those at +n1 or +e of an allocation, those of a rankfile (rank 0=n01).
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
