// SPDX-License-Identifier: Apache-2.0
// C++ exceptions that error handlers and operations of the program throw through MPI reach the caller, once, and the
// communicator can be used afterwards.
#include <stdexcept>

#include "checks.h"

namespace {

struct NotAStandardException {
  int value;
};

int handled = 0;
MPI_Comm handled_comm = MPI_COMM_NULL;

void throw_standard(MPI_Comm* comm, int*, ...) {
  ++handled;
  handled_comm = *comm;
  throw std::runtime_error("from an error handler");
}

void throw_own(MPI_Comm* comm, int*, ...) {
  ++handled;
  handled_comm = *comm;
  throw NotAStandardException{7};
}

// What a call threw: 0, 1 (a standard exception) or 2 (one of the program's own).
template <class Call>
int thrown_by(Call call) {
  try {
    call();
  } catch (const std::runtime_error&) {
    return 1;
  } catch (const NotAStandardException& exception) {
    return exception.value == 7 ? 2 : -1;
  }
  return 0;
}

void wrong_calls(MPI_Comm comm, MPI_Comm_errhandler_function* function, int expected) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(function, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  int data[4] = {};
  for (int round = 0; round < 3; ++round) {
    handled = 0;
    EXPECT(thrown_by([&] { MPI_Bcast(data, -1, MPI_INT, 0, comm); }) == expected);
    EXPECT(handled == 1 && handled_comm == comm);
    EXPECT(thrown_by([&] { MPI_Bcast(data, 1, MPI_INT, 99, comm); }) == expected);
    EXPECT(handled == 2 && handled_comm == comm);
    expect_right_results(comm);
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

// Errors that are found while a call is under way: the others' messages are longer than this rank expects.
void truncated_calls(MPI_Comm comm, MPI_Comm_errhandler_function* function, int expected) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(function, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  int data[64] = {};
  const int count = rank_in(comm) == 0 ? 64 : 32;
  for (int round = 0; round < 3; ++round) {
    handled = 0;
    const int thrown = thrown_by([&] { MPI_Bcast(data, count, MPI_INT, 0, comm); });
    EXPECT(rank_in(comm) == 0 ? thrown == 0 : thrown == expected);
    EXPECT(handled == (rank_in(comm) == 0 ? 0 : 1));
    MPI_Barrier(MPI_COMM_WORLD);
    expect_right_results(comm);
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

#if MPI_VERSION >= 4
// The same of requests, whose errors show when they are completed.
void truncated_requests(MPI_Comm comm, MPI_Comm_errhandler_function* function, int expected) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(function, &handler);
  MPI_Comm_set_errhandler(comm, handler);
  int data[64] = {};
  const int count = rank_in(comm) == 0 ? 64 : 32;
  for (const bool is_persistent : {false, true}) {
    for (const bool among_others : {false, true}) {
      handled = 0;
      MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
      MPI_Status status[2];
      if (is_persistent) {
        MPI_Bcast_init(data, count, MPI_INT, 0, comm, MPI_INFO_NULL, request);
        MPI_Start(request);
      } else {
        MPI_Ibcast(data, count, MPI_INT, 0, comm, request);
      }
      const int thrown = thrown_by([&] { among_others ? MPI_Waitall(2, request, status) : MPI_Wait(request, status); });
      EXPECT(rank_in(comm) == 0 ? thrown == 0 : thrown == expected);
      EXPECT(handled == (rank_in(comm) == 0 ? 0 : 1) && (handled == 0 || handled_comm == comm));
      if (is_persistent) MPI_Request_free(request);
      MPI_Barrier(MPI_COMM_WORLD);
      expect_right_results(comm);
    }
  }
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
  MPI_Errhandler_free(&handler);
}

#else
void truncated_requests(MPI_Comm, MPI_Comm_errhandler_function*, int) {}
#endif

bool throws = false;

void add_or_throw(void* in, void* inout, int* count, MPI_Datatype*) {
  if (throws) throw std::runtime_error("from an operation");
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

// Every rank's reduction throws, or ends with whatever it has: no rank may hang.
void throwing_operation(MPI_Comm comm) {
  MPI_Op op;
  MPI_Op_create(add_or_throw, 1, &op);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int round = 0; round < 3; ++round) {
    int mine = 1, sum = 0;
    throws = true;
    const int thrown = thrown_by([&] { MPI_Allreduce(&mine, &sum, 1, MPI_INT, op, comm); });
    EXPECT(thrown == 0 || thrown == 1);
    throws = false;
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT(MPI_Allreduce(&mine, &sum, 1, MPI_INT, op, comm) == MPI_SUCCESS);
    EXPECT(sum == size_of(comm));
    expect_right_results(comm);
  }
  MPI_Op_free(&op);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const bool with_requests = argc > 1;
  MPI_Comm comm;
  // MPICH 4.0 raises errors of messages there.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  wrong_calls(comm, throw_standard, 1);
  wrong_calls(comm, throw_own, 2);
  truncated_calls(comm, throw_standard, 1);
  truncated_calls(comm, throw_own, 2);
  if (with_requests) truncated_requests(comm, throw_standard, 1);
  if (with_requests) truncated_requests(comm, throw_own, 2);
  throwing_operation(comm);
  MPI_Comm_free(&comm);
  EXPECT(std::uncaught_exceptions() == 0);
  const int status = conclude();
  MPI_Finalize();
  return status;
}
