// SPDX-License-Identifier: Apache-2.0
// How every nonblocking call of ours begins.
#pragma once

#include "mpi/calls/errors.hpp"
#include "mpi/deferred/nonblocking_run.hpp"
#include "mpi/requests/recycled.hpp"

namespace espalier {

// The other ranks are not told, since nobody would listen; but what they send may lie here. Returns the code.
[[nodiscard]] inline int fail_to_start(const Call& call, PreparedCommunicator& communicator, int status) {
  communicator.endpoint().watch.mark_unclean();
  return raise(call, status);
}

// Makes the run, gets it ready and lets it go. `get_ready(run)` returns an MPI code, and may throw for want of memory.
template <class GetReady>
[[nodiscard]] int start_run(const Call& call, PreparedCommunicator& communicator, GetReady get_ready) {
  std::shared_ptr<NonblockingRun> run;
  int ready = MPI_SUCCESS;
  int status = guarded(call, [&] {
    run = std::allocate_shared<NonblockingRun>(Recycled<NonblockingRun>(), communicator);
    ready = get_ready(*run);
  });
  if (status == MPI_SUCCESS) status = ready;
  if (status == MPI_SUCCESS) status = run->make_handle(*call.request);
  if (status != MPI_SUCCESS) return fail_to_start(call, communicator, status);
  run->go();
  return MPI_SUCCESS;
}

}  // namespace espalier
