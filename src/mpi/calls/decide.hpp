// SPDX-License-Identifier: Apache-2.0
// What a call that was not seen lately asks for, and what is done with it.
#pragma once

#include "mpi/call/classify.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

struct Decided {
  Classified found;
  Choice choice;
  Decision* changing = nullptr;  // null: the choice is permanent
};

// Raises no error; throws on allocation failure. A decision that changes is found, but not asked yet.
[[nodiscard]] Decided find_decision(const Call& call, PreparedCommunicator& communicator, const Selector& selector);
// And asked.
[[nodiscard]] Decided decide(const Call& call, PreparedCommunicator& communicator, const Selector& selector);

}  // namespace espalier
