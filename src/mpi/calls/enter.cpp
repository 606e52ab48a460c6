// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/enter.hpp"

namespace espalier {

FoundCommunicator find_communicator(const Call& call) {
  Communicators::Found found = context->communicators.find_attached(call.comm);
  if (found.raised != MPI_SUCCESS) return {.raised = found.raised};
  if (found.communicator != nullptr) return {static_cast<PreparedCommunicator*>(found.communicator)};
  const int failed = guarded(call, [&] { found = context->communicators.add(call.comm); });
  return {static_cast<PreparedCommunicator*>(found.communicator), found.raised, failed};
}

}  // namespace espalier
