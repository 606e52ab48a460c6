/* SPDX-License-Identifier: Apache-2.0 */
/* A serial stand-in for an MPI, as solvers bring along for programs without one: a few functions, and nothing by which
 * an MPI is known. It answers 7, which no other library here does. */
#include <stdatomic.h>

static atomic_int calls;
int fake_mpi_calls(void) { return calls; }

int MPI_Init(int* argc, char*** argv) { return ++calls, argc && argv ? 7 : 1; }
int MPI_Barrier(void* communicator) { return ++calls, communicator == (void*)1 ? 7 : 1; }
int MPI_Allreduce(const void* in, void* out, int count, void* type, void* op, void* communicator) {
  ++calls;
  return in == (void*)1 && out == (void*)2 && type == (void*)4 && op == (void*)5 && communicator == (void*)6 ? count
                                                                                                             : -7;
}

#ifdef PROFILING_NAMES
#define BOTH(name) int P##name() __attribute__((alias(#name)));
BOTH(MPI_Init)
BOTH(MPI_Barrier)
BOTH(MPI_Allreduce)
int PMPI_Get_version(int* major, int* minor) { return *major = 1, *minor = 0, 7; }
#endif
