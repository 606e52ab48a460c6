// SPDX-License-Identifier: Apache-2.0
// MPI's collectives as functions that can be handed over: those that a program calls, and those behind them.
#pragma once

#include "native/native.hpp"

namespace espalier::apps {

// As every call of this program: what is preloaded comes first. The collective functions only; null where there is none
// of that name.
[[nodiscard]] const Native& called_mpi();

// The MPI library's own, past anything that is preloaded: what results are compared with, and what the test programs
// talk to each other with. Found on first use; ends the program if there is no MPI library in this process.
[[nodiscard]] const Native& native_mpi();

}  // namespace espalier::apps
