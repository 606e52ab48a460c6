// SPDX-License-Identifier: Apache-2.0
// What goes wrong within a call, and how the application learns of it.
#pragma once

#include <new>
#include <stdexcept>

#include "mpi/call/call.hpp"
#include "mpi/communicators/communicator.hpp"

namespace espalier {

// Hands an error to the error handler of the call's communicator, once, as the class that it is of: what the MPI has to
// say of it names functions that the application did not call. Returns the code. Where the handler ends the job, says
// first which call it was.
[[nodiscard]] int raise(const Call& call, int code);

// The same for an error of this rank alone before its part of the call could begin: informs the other ranks, too.
[[nodiscard]] int raise_for_all(const Call& call, Communicator& communicator, int code);

// The error of a rank that waits for one which is past its call: reports to all ranks.
[[nodiscard]] int raise_out_of_step(const Call& call, Communicator& communicator);

// A call that looked wrong here for that reason, and is right for the MPI: says so, once on a communicator, and informs
// the ranks that wait for this one in a schedule of ours. Static text.
void note_accepted(const Call& call, Communicator& communicator, const char* what);

// The ranks have found out that they do not decide alike about calls like this one. Says so at rank 0.
void log_not_alike(const Call& call, const Communicator& communicator);

// Says on standard error what an exception of ours was about.
void log_exception(const Call& call, const char* what);

// Does work of ours, and turns our own exceptions into an MPI code. The work must not call what can call the
// application back: its exceptions are not ours to catch.
template <class Work>
[[nodiscard]] int guarded(const Call& call, Work work) noexcept {
  try {
    work();
    return MPI_SUCCESS;
  } catch (const std::bad_alloc&) {
    log_exception(call, "out of memory");
    return MPI_ERR_NO_MEM;
  } catch (const std::exception& error) {
    log_exception(call, error.what());
    return MPI_ERR_INTERN;
  }
}

}  // namespace espalier
