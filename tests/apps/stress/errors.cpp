// SPDX-License-Identifier: Apache-2.0
// Wrong calls: the error class is the native MPI's, and the application's error handler is called as the native MPI
// calls it, on the application's own communicator.
//
//     mpiexec -x LD_PRELOAD=.../libespalier.so -n 3 errors
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "shared/failures.hpp"
#include "shared/known_calls.hpp"
#include "shared/mpi_functions.hpp"
#include "shared/preloaded.hpp"

namespace espalier::apps {

namespace {

int input[4], output[4];

// The same wrong call, by the functions that the application sees or by the native ones.
struct WrongCall {
  std::string name;
  std::function<int(const MpiFunctions&, MPI_Comm)> make;
};

int error_class(int code) {
  int result = MPI_SUCCESS;
  MPI_Error_class(code, &result);
  return result;
}

MPI_Datatype two_ints(bool committed) {
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  if (committed) MPI_Type_commit(&type);
  return type;
}

std::vector<WrongCall> wrong_calls(const Member& member) {
  const int size = member.size;
  [[maybe_unused]] const int rank = member.rank;
  static const MPI_Datatype derived = two_ints(true), uncommitted = two_ints(false);
  return {
      {"bcast, root too large",
       [=](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.bcast(output, 4, MPI_INT, size, comm); }},
      {"bcast, negative root",
       [](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.bcast(output, 4, MPI_INT, -7, comm); }},
      {"bcast, negative count",
       [](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.bcast(output, -1, MPI_INT, 0, comm); }},
      {"bcast, no datatype",
       [](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.bcast(output, 4, MPI_DATATYPE_NULL, 0, comm); }},
      {"bcast, datatype not committed",
       [](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.bcast(output, 2, uncommitted, 0, comm); }},
      {"reduce, root too large",
       [=](const MpiFunctions& mpi, MPI_Comm comm) {
         return mpi.reduce(input, output, 4, MPI_INT, MPI_SUM, size, comm);
       }},
#ifndef MPICH_VERSION  // which does not look at these, and may crash
      {"reduce, no operation",
       [](const MpiFunctions& mpi, MPI_Comm comm) {
         return mpi.reduce(input, output, 4, MPI_INT, MPI_OP_NULL, 0, comm);
       }},
      {"reduce, bitwise and of floats",
       [](const MpiFunctions& mpi, MPI_Comm comm) {
         return mpi.reduce(input, output, 4, MPI_FLOAT, MPI_BAND, 0, comm);
       }},
      {"reduce, negative count",
       [](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.reduce(input, output, -4, MPI_INT, MPI_SUM, 0, comm); }},
      {"reduce, in place where it may not be",
       [=](const MpiFunctions& mpi, MPI_Comm comm) {
         // No rank is the root of its own call.
         return mpi.reduce(MPI_IN_PLACE, output, 4, MPI_INT, MPI_SUM, (rank + 1) % size, comm);
       }},
#endif
      {"allreduce, negative count",
       [](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.allreduce(input, output, -1, MPI_INT, MPI_SUM, comm); }},
      {"allreduce, no datatype",
       [](const MpiFunctions& mpi, MPI_Comm comm) {
         return mpi.allreduce(input, output, 4, MPI_DATATYPE_NULL, MPI_SUM, comm);
       }},
      {"allreduce, no operation",
       [](const MpiFunctions& mpi, MPI_Comm comm) {
         return mpi.allreduce(input, output, 4, MPI_INT, MPI_OP_NULL, comm);
       }},
      {"allreduce, minimum with location of ints",
       [](const MpiFunctions& mpi, MPI_Comm comm) {
         return mpi.allreduce(input, output, 4, MPI_INT, MPI_MINLOC, comm);
       }},
      {"allreduce, predefined operation on a derived type",
       [](const MpiFunctions& mpi, MPI_Comm comm) { return mpi.allreduce(input, output, 1, derived, MPI_SUM, comm); }},
      {"barrier, no communicator", [](const MpiFunctions& mpi, MPI_Comm) { return mpi.barrier(MPI_COMM_NULL); }},
  };
}

// What a user's error handler saw.
struct Seen {
  int calls = 0;
  MPI_Comm comm = MPI_COMM_NULL;
  int error_class = MPI_SUCCESS;
};
Seen seen;

void note_error(MPI_Comm* comm, int* code, ...) { seen = {seen.calls + 1, *comm, error_class(*code)}; }

void compare_classes(const WrongCall& call, const Member& member) {
  const int native = error_class(call.make(native_mpi(), member.comm));
  const int ours = error_class(call.make(called_mpi(), member.comm));
  if (native == MPI_SUCCESS) fail(call.name + ": the native MPI finds nothing wrong with it");
  if (ours != native) {
    fail(call.name + ": error class " + std::to_string(ours) + " and not " + std::to_string(native));
  }
}

void compare_handlers(const WrongCall& call, const Member& member) {
  seen = {};
  (void)call.make(native_mpi(), member.comm);
  const Seen native = seen;
  seen = {};
  (void)call.make(called_mpi(), member.comm);
  if (seen.calls != native.calls || seen.comm != native.comm || seen.error_class != native.error_class) {
    fail(call.name + ": the error handler was called " + std::to_string(seen.calls) + " times with class " +
         std::to_string(seen.error_class) + ", natively " + std::to_string(native.calls) + " times with class " +
         std::to_string(native.error_class) + (seen.comm == native.comm ? "" : ", and with another communicator"));
  }
}

void compare_all(MPI_Comm comm, const char* name) {
  const Member member(comm);
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(note_error, &handler);
  std::uint64_t number = 0;
  for (const WrongCall& call : wrong_calls(member)) {
    now_doing(std::string(name) + ", " + call.name);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    compare_classes(call, member);
    MPI_Comm_set_errhandler(comm, handler);
    compare_handlers(call, member);
    seen = {};
    for (int i = 0; i < 8; ++i) make_known_call(member, ++number, 100);  // right calls still work
    if (seen.calls > 0) fail(call.name + ": an error handler was called in a right call");
  }
  MPI_Errhandler_free(&handler);
}

int run() {
  // Where errors without a communicator go.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  const std::string setting = "bcast:knomial;reduce:binomial;allreduce:recursive_doubling;barrier:dissemination";
  if (const std::string error = force(setting); !error.empty()) fail(error);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  compare_all(copy, "duplicate of WORLD");
  compare_all(MPI_COMM_WORLD, "WORLD");
  MPI_Comm_free(&copy);
  return conclude("\"own\": " + std::to_string(all_calls().own));
}

}  // namespace

}  // namespace espalier::apps

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int status = espalier::apps::run();
  MPI_Finalize();
  return status;
}
