// SPDX-License-Identifier: Apache-2.0
// Blocking calls that are handed on without a look at what they ask for. The report has them all the same.
#pragma once

#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

// Return an MPI code, after the error handler has had its say.

// Of functions that are never ours in this job, for that reason: static text. `caller`: where the call returns to.
[[nodiscard]] int pass_on(const Call& call, const void* caller, const char* reason);

// On a communicator that is known, for that reason: static text.
[[nodiscard]] int pass_on_known(const Call& call, const char* reason, Communicator& communicator);

// On one that is being freed, or none.
[[nodiscard]] int pass_on_unknown(const Call& call, const char* reason);

// Between groups nothing in a call means what it means within one.
[[nodiscard]] int pass_on_between_groups(const Call& call, Communicator& communicator);

}  // namespace espalier
