// SPDX-License-Identifier: Apache-2.0
// The files that tell launchers on which hosts a job runs: a host in each line, comments from # on, or from // on.
//
//   n01 slots=2     Open MPI's, also with cpu or count; max_slots says it where these do not
//   n01:2           MPICH's
//   n01             one rank
//
// A user (user@n01, or a key) and what tells how to reach or bind to a host is passed over. Refused are Open MPI's lines
// that name no host: ^n01 (any but this), +n1 and +e (of an allocation), rank 0=n01 (a rankfile's).
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
