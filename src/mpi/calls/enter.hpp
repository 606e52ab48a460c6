// SPDX-License-Identifier: Apache-2.0
// How a call arrives: whether it is ours to look at, and on which communicator it is made. All entry points ask here.
#pragma once

#include "mpi/call/reasons.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/calls/errors.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

// Whether calls are looked at now at all, and this one is the application's, not the MPI's own. `caller`: where the
// call returns to.
[[nodiscard, gnu::always_inline]] inline bool is_to_be_looked_at(const void* caller, const Context& here = *context) {
  return here.active.load(std::memory_order_acquire) && here.job.host.is_internal(caller) == 0;
}

// The call's communicator, which is not among those that are found at once. If nothing can be kept for it, on
// allocation failure, that is `failed`, and nobody has learnt of it.
struct FoundCommunicator {
  PreparedCommunicator* communicator = nullptr;  // null: it is being freed, or there is none
  int raised = MPI_SUCCESS;                      // an error that the MPI has raised already
  int failed = MPI_SUCCESS;
};
[[nodiscard]] FoundCommunicator find_communicator(const Call& call);

// `known(communicator)` does the work of the function, or `unknown()`, if the communicator is not found at once. What
// is not to be looked at goes to the native MPI. All return an MPI code.
template <class Unknown, class Known>
[[nodiscard, gnu::always_inline]] inline int enter(const Call& call, const void* caller, Unknown unknown, Known known) {
  const Context& here = *context;
  if (!is_to_be_looked_at(caller, here)) return call.function->native(here.job.mpi, call);
  auto* const communicator = static_cast<PreparedCommunicator*>(here.communicators.find(call.comm));
  if (communicator == nullptr) [[unlikely]]
    return unknown();
  return known(*communicator);
}

// For `unknown()`: does the work on the communicator if there is one, or else `pass_on(reason)`. One that nothing can
// be kept for is an error: the other ranks may agree on it by now.
template <class PassOn, class Known>
[[nodiscard]] int enter_unknown(const Call& call, PassOn pass_on, Known known) {
  const FoundCommunicator found = find_communicator(call);
  if (found.raised != MPI_SUCCESS) return found.raised;
  if (found.failed != MPI_SUCCESS) return raise(call, found.failed);
  return found.communicator != nullptr ? known(*found.communicator) : pass_on(why::no_communicator);
}

}  // namespace espalier
