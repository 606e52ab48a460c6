// SPDX-License-Identifier: Apache-2.0
// Runs a call: on the native MPI, or on what was prepared.
#pragma once

#include "mpi/calls/errors.hpp"
#include "mpi/prepared/prepared_communicator.hpp"

namespace espalier {

// What is done about a run that did not end well. Returns an MPI code.
[[nodiscard]] int do_after_failure(const Call& call, Communicator& communicator, const Prepared& prepared, int status);

// Of a collective.
[[nodiscard]] inline int run_native(const Call& call, Communicator& communicator) {
  communicator.counter(call.collective()).count_native();
  return call.function->native(communicator.job().mpi, call);
}

// A call that looks wrong here, by `run_natively()`. If it is, the others' calls may still be right, and wait for this
// rank; also if the application leaves the call by an exception. If the MPI finds nothing wrong with it, `what`, which
// this rank alone has seen, was no reason to go otherwise than they.
template <class RunNatively>
[[nodiscard]] int run_wrong(const Call& call, PreparedCommunicator& communicator, const char* what,
                            RunNatively run_natively) {
  struct Announcement {
    Communicator& communicator;
    int status = MPI_ERR_OTHER;
    ~Announcement() {
      if (status != MPI_SUCCESS) communicator.announce_failure(MPI_ERR_OTHER);
    }
  } announcement{communicator};
  announcement.status = run_natively();
  if (announcement.status == MPI_SUCCESS) note_accepted(call, communicator, what);
  return announcement.status;
}

// `call()` is asked for the call if that did not end well.
template <class AskForCall>
[[nodiscard, gnu::always_inline]] inline int run_prepared_of(AskForCall call, PreparedCommunicator& communicator,
                                                             Prepared& prepared, const Buffers& buffers) {
  communicator.prepared.touch(prepared);
  const int status = prepared.run(communicator.call(), buffers);
  if (status == MPI_SUCCESS && !prepared.failed()) [[likely]]
    return status;
  return do_after_failure(call(), communicator, prepared, status);
}

[[nodiscard]] inline int run_prepared(const Call& call, PreparedCommunicator& communicator, Prepared& prepared,
                                      const Buffers& buffers) {
  return run_prepared_of([&]() -> const Call& { return call; }, communicator, prepared, buffers);
}

// Of a collective; of other calls the report alone keeps count.
[[nodiscard]] inline int run_own(const Call& call, PreparedCommunicator& communicator, Prepared& prepared,
                                 const Buffers& buffers) {
  communicator.counter(call.collective()).count_own();
  return run_prepared(call, communicator, prepared, buffers);
}

}  // namespace espalier
