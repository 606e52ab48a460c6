// SPDX-License-Identifier: Apache-2.0
// How calls that return a request come in.
#pragma once

#include "mpi/call/classify.hpp"
#include "mpi/calls/enter.hpp"
#include "mpi/requests/reported_request.hpp"

namespace espalier {

// Does the work on the call's communicator, once the call is counted there; calls that are not ours to look at go to
// the native MPI. `caller`: where the call returns to.
template <class Work>
[[nodiscard]] int enter_with_request(const Call& call, const void* caller, Work work) {
  const auto pass_on = [&](const char* reason) { return pass_on_request(call, reason); };
  const auto on_communicator = [&](PreparedCommunicator& communicator) {
    if (call.request == nullptr) return pass_on(bad_arguments);
    communicator.begin_call();
    return work(communicator);
  };
  const auto on_unknown = [&] {
    return call.request == nullptr ? pass_on(bad_arguments) : enter_unknown(call, pass_on, on_communicator);
  };
  return enter(call, caller, on_unknown, on_communicator);
}

// What the native MPI keeps for as long as the request lives, and we could not: the operation of the application. A
// datatype of the application is kept by a duplicate.
[[nodiscard]] inline bool outlives_its_handles(const Call& call, const Classified& found) {
  return !call.contract().reduces || found.op.has_value();
}

}  // namespace espalier
