// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/run_call.hpp"

namespace espalier {

int do_after_failure(const Call& call, Communicator& communicator, const Prepared& prepared, int status) {
  if (!prepared.failed()) return raise(call, status);
  switch (prepared.ended_by()) {
    case CallState::goes_on: return raise_for_all(call, communicator, status);
    case CallState::failed_elsewhere: return raise(call, status);
    case CallState::out_of_step: return raise_out_of_step(call, communicator);
    case CallState::broken: return call.function->native(communicator.job().mpi, call);  // which raises what is wrong
  }
  return MPI_ERR_INTERN;
}

}  // namespace espalier
