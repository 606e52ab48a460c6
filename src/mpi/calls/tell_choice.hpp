// SPDX-License-Identifier: Apache-2.0
// What is said of choices by time while a program runs (ESPALIER_VERBOSE: choice, late).
#pragma once

#include "mpi/call/call.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

// After the ranks have agreed on what the next calls run, if somebody wants to know. Throws on allocation failure.
void tell_choice(const Call& call, const PreparedCommunicator& communicator, Decision& decision, const Choice& choice);

}  // namespace espalier
