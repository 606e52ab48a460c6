// SPDX-License-Identifier: Apache-2.0
// Runs a call: on the native MPI, or on what was prepared.
#pragma once

#include "mpi/calls/errors.hpp"
#include "mpi/calls/prepared_communicator.hpp"

namespace espalier {

// What is done about a run that did not end well. Returns an MPI code.
[[nodiscard]] int do_after_failure(const Call& call, Communicator& communicator, const Prepared& prepared, int status);

[[nodiscard]] inline int run_native(const Call& call, Communicator& communicator) {
  communicator.counter(call.collective()).count_native();
  return call.function->native(communicator.job().mpi, call);
}

[[nodiscard]] inline int run_own(const Call& call, PreparedCommunicator& communicator, Prepared& prepared,
                                 const Buffers& buffers) {
  communicator.counter(call.collective()).count_own();
  communicator.prepared.touch(prepared);
  const int status = prepared.run(communicator.call(), buffers);
  if (status == MPI_SUCCESS && !prepared.failed()) [[likely]]
    return status;
  return do_after_failure(call, communicator, prepared, status);
}

}  // namespace espalier
