// SPDX-License-Identifier: Apache-2.0
// Calls for which nothing is set up: most communicators see few calls, and a short one inside a node takes less than a
// hundredth of what setting up takes (tags that the ranks have in common, decisions, schedules). So the first ones of
// each collective are the native MPI's (ESPALIER_FIRST_CALLS).
#pragma once

#include "core/problem.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

// Whether calls of this kind may be among them; equal on all ranks. Nothing of the communicator's place is asked for.
[[nodiscard]] bool begins_natively(const Job& job, const Problem& problem, Rank size);

// Whether there are any left of that collective.
[[nodiscard]] inline bool has_first_calls(PreparedCommunicator& communicator, Collective collective) {
  const auto all = static_cast<std::uint64_t>(communicator.job().settings.first_calls);
  return communicator.first_calls(collective) < all;
}

// As long as there are more: counts one, and says why it is native.
[[nodiscard]] const char* count_first_call(PreparedCommunicator& communicator, const Problem& problem);

}  // namespace espalier
