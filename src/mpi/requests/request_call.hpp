// SPDX-License-Identifier: Apache-2.0
// What calls that return a request share.
#pragma once

#include "mpi/calls/context.hpp"
#include "mpi/calls/decide.hpp"
#include "mpi/calls/pass_on.hpp"
#include "mpi/calls/run_call.hpp"
#include "mpi/requests/reported_request.hpp"

namespace espalier {

// Why calls go to the native MPI that would otherwise be ours.
inline constexpr char no_requests[] = "requests of ours need a hook into the MPI's progress";
inline constexpr char no_tags_yet[] = "no blocking or persistent call on the communicator came before";
inline constexpr char operation_of_users[] = "an operation of the application's, which it may free";

// What the native MPI keeps for as long as the request lives, and we could not: the operation of the application. A
// datatype of the application is kept by a duplicate.
[[nodiscard]] inline bool outlives_its_handles(const Call& call, const Classified& found) {
  return !call.contract().reduces || found.op.has_value();
}

// Does the work on the call's communicator, once the call is counted there; calls that are not ours to look at go to
// the native MPI. `caller`: where the call returns to.
template <class Work>
[[nodiscard]] int with_communicator(const Call& call, const void* caller, Work work) {
  const Context& here = *context;
  if (!here.active.load(std::memory_order_acquire) || here.job.host.is_internal(caller) != 0) {
    return call.function->native(here.job.mpi, call);
  }
  if (call.request == nullptr) return pass_on_request(call, bad_arguments);
  Communicator* communicator = here.communicators.find(call.comm);
  if (communicator == nullptr) {
    const Communicators::Found found = find_communicator(call, context->communicators);
    if (found.raised != MPI_SUCCESS) return found.raised;
    communicator = found.communicator;
  }
  if (communicator == nullptr) return pass_on_request(call, no_communicator);
  communicator->begin_call();
  return work(static_cast<PreparedCommunicator&>(*communicator));
}

}  // namespace espalier
