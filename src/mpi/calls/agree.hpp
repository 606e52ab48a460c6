// SPDX-License-Identifier: Apache-2.0
// What the ranks do together before a call whose decision changes: they exchange numbers until it says what is run.
#pragma once

#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

struct Agreed {
  int status = MPI_SUCCESS;  // an MPI code, after the error handler has had its say
  Choice choice;
  bool is_undecided = false;  // the communicator turned out to be unusual: there is no decision any more
};

// In a call in which all ranks take part at once. The call is counted if there is a choice, not so if it fails before.
[[nodiscard]] Agreed agree(const Call& call, PreparedCommunicator& communicator, Decision& decision);

}  // namespace espalier
