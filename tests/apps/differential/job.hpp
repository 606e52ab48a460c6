// SPDX-License-Identifier: Apache-2.0
// Who takes part: the communicators of the tests.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace espalier::apps {

struct Group {
  std::string name;
  MPI_Comm comm = MPI_COMM_NULL;  // null on a rank that is no member
  int size = 0;
  int rank = 0;

  [[nodiscard]] bool has_me() const { return comm != MPI_COMM_NULL; }
};

// Collective over MPI_COMM_WORLD.
[[nodiscard]] std::vector<Group> make_groups();
void free_groups(std::vector<Group>& groups);

}  // namespace espalier::apps
