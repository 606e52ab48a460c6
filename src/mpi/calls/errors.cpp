// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/errors.hpp"

#include <cstring>

#include "core/log.hpp"
#include "mpi/calls/context.hpp"

namespace espalier {

namespace {

int class_of(int code) {
  int error_class = code;
  context->job.mpi.Error_class(code, &error_class);
  return error_class;
}

// The MPI's own words would be about MPI_Comm_call_errhandler.
void log_if_fatal(const Call& call, int code) {
  const Native& mpi = context->job.mpi;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (mpi.Comm_get_errhandler(call.comm, &handler) != MPI_SUCCESS) return;
  if (handler == MPI_ERRORS_ARE_FATAL) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    mpi.Error_string(code, text, &length);
    log_line("rank %d of MPI_COMM_WORLD: an error in %s: %s", context->job.world_rank, call.function->name, text);
  }
  mpi.Errhandler_free(&handler);
}

}  // namespace

int raise(const Call& call, int code) {
  context->failures.fetch_add(1, std::memory_order_relaxed);
  const int error_class = class_of(code);
  log_if_fatal(call, error_class);
  context->job.mpi.Comm_call_errhandler(call.comm, error_class);
  return error_class;
}

int raise_for_all(const Call& call, Communicator& communicator, int code) {
  communicator.announce_failure(class_of(code));
  return raise(call, code);
}

int raise_out_of_step(const Call& call, Communicator& communicator) {
  const StepOfRank& other = communicator.endpoint().watch.passed_by();
  log_line(
      "rank %d of MPI_COMM_WORLD is out of step on %s: it makes its call %llu, %s%s, and rank %d "
      "there %s %llu, without what this one waits for",
      context->job.world_rank, text_of_communicator(context->job.mpi, call.comm).c_str(),
      static_cast<unsigned long long>(communicator.call()), call.function->name,
      other.step.call == communicator.call() && !other.step.is_shared ? ", which begins with an agreement" : "",
      other.rank, other.step.is_shared ? "agrees on something in its call" : "sends its part of its call",
      static_cast<unsigned long long>(other.step.call));
  communicator.announce_out_of_step();
  return raise(call, MPI_ERR_INTERN);
}

void note_accepted(const Call& call, Communicator& communicator, const char* what) {
  if (!communicator.begins_to_go_alone()) return;
  log_line(
      "rank %d of MPI_COMM_WORLD: %s (call %llu of %s) went to the MPI, since %s, and the MPI accepts "
      "it. Other ranks, which do not know of it, may be out of step now",
      context->job.world_rank, call.function->name, static_cast<unsigned long long>(communicator.call()),
      text_of_communicator(context->job.mpi, call.comm).c_str(), what);
  communicator.announce_failure(MPI_ERR_INTERN);
}

void log_not_alike(const Call& call, const Communicator& communicator) {
  if (communicator.rank() != 0) return;
  log_line("%s (call %llu of %s): decisions differ between ranks; calls like this one use the native MPI from now on",
           call.function->name, static_cast<unsigned long long>(communicator.call()),
           text_of_communicator(context->job.mpi, call.comm).c_str());
}

void log_exception(const Call& call, const char* what) {
  log_line("rank %d: %s failed: %s", context->job.world_rank, call.function->name, what);
}

}  // namespace espalier
