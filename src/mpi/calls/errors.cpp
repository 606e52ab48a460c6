// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/errors.hpp"

#include <cstdio>
#include <cstring>

#include "mpi/calls/context.hpp"

namespace espalier {

namespace {

int class_of(int code) {
  int error_class = code;
  context->job.mpi.Error_class(code, &error_class);
  return error_class;
}

// The MPI's own words would be about MPI_Comm_call_errhandler.
void say_if_fatal(const Call& call, int code) {
  const Native& mpi = context->job.mpi;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (mpi.Comm_get_errhandler(call.comm, &handler) != MPI_SUCCESS) return;
  if (handler == MPI_ERRORS_ARE_FATAL) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    mpi.Error_string(code, text, &length);
    std::fprintf(stderr, "espalier: rank %d of MPI_COMM_WORLD: an error in %s: %s\n", context->job.world_rank,
                 call.function->name, text);
  }
  mpi.Errhandler_free(&handler);
}

}  // namespace

int raise(const Call& call, int code) {
  const int error_class = class_of(code);
  say_if_fatal(call, error_class);
  context->job.mpi.Comm_call_errhandler(call.comm, error_class);
  return error_class;
}

int raise_for_all(const Call& call, Communicator& communicator, int code) {
  communicator.announce_failure(class_of(code));
  return raise(call, code);
}

void say_exception(const Call& call, const char* what) {
  std::fprintf(stderr, "espalier: rank %d: %s failed: %s\n", context->job.world_rank, call.function->name, what);
}

}  // namespace espalier
