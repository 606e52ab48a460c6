// SPDX-License-Identifier: Apache-2.0
#include "mpi/errors.hpp"

#include <cstdio>
#include <cstring>
#include <string>

#include "mpi/context.hpp"

namespace espalier {

namespace {

// "MPI_Bcast", as the application called it.
std::string function_of(const Call& call) {
  std::string name = "MPI_" + std::string(name_of(call.collective));
  name[4] = static_cast<char>(name[4] - 'a' + 'A');
  return call.large ? name + "_c" : name;
}

int class_of(int code) {
  int error_class = code;
  context->mpi.Error_class(code, &error_class);
  return error_class;
}

// The MPI's own words would be about MPI_Comm_call_errhandler.
void say_if_fatal(const Call& call, const Communicator& communicator, int code) {
  const Native& mpi = context->mpi;
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (mpi.Comm_get_errhandler(communicator.handle(), &handler) != MPI_SUCCESS) return;
  if (handler == MPI_ERRORS_ARE_FATAL) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    mpi.Error_string(code, text, &length);
    std::fprintf(stderr, "espalier: rank %d of MPI_COMM_WORLD: an error in %s: %s\n", context->world_rank,
                 function_of(call).c_str(), text);
  }
  mpi.Errhandler_free(&handler);
}

}  // namespace

int raise(const Call& call, Communicator& communicator, int code) {
  const int error_class = class_of(code);
  say_if_fatal(call, communicator, error_class);
  context->mpi.Comm_call_errhandler(communicator.handle(), error_class);
  return error_class;
}

int raise_for_all(const Call& call, Communicator& communicator, int code) {
  communicator.announce_failure(class_of(code));
  return raise(call, communicator, code);
}

void say_exception(const Call& call, const char* what) {
  std::fprintf(stderr, "espalier: rank %d: %s failed: %s\n", context->world_rank, name_of(call.collective).data(),
               what);
}

}  // namespace espalier
