// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/enter.hpp"

namespace espalier {

FoundCommunicator find_communicator(const Call& call) {
  if (const int raised = context->communicators.check(call.comm); raised != MPI_SUCCESS) return {.raised = raised};
  Communicators::Found found;
  const int failed = guarded(call, [&] { found = context->communicators.find_or_add(call.comm); });
  return {static_cast<PreparedCommunicator*>(found.communicator), found.raised, failed};
}

}  // namespace espalier
