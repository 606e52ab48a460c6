// SPDX-License-Identifier: Apache-2.0
// What a call that was not seen lately asks for, and what is done with it.
#pragma once

#include "mpi/call/classify.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

struct Decided {
  Classified found;
  bool is_open = true;           // nothing that all ranks see leaves the call to the native MPI
  Choice choice;                 // native with a reason, if it is not open
  Decision* changing = nullptr;  // null: the choice is permanent
};

// These raise no error, and throw on allocation failure.
[[nodiscard]] Decided look_at(const Call& call, PreparedCommunicator& communicator);
// What is open is decided. A decision that changes is found, but not asked yet.
void find_decision(Decided& decided, PreparedCommunicator& communicator, const Selector& selector);
// Both.
[[nodiscard]] Decided find_decision(const Call& call, PreparedCommunicator& communicator, const Selector& selector);
// And asked.
[[nodiscard]] Decided decide(const Call& call, PreparedCommunicator& communicator, const Selector& selector);

}  // namespace espalier
