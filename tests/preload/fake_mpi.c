/* SPDX-License-Identifier: Apache-2.0 */
/* A library that looks like an MPI to the preload, for what no real one can show: it checks how arguments arrive,
 * counts its calls and looks at its own call stack. */
#include <execinfo.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef LIBRARY_VERSION
#define LIBRARY_VERSION "MPICH, not really"
#endif

#define BOTH(name) int name() __attribute__((weak, alias("P" #name)));

static atomic_int calls;
int fake_mpi_calls(void) { return calls; }

int PMPI_Get_version(int* major, int* minor) {
  *major = 4;
  *minor = 0;
  return 0;
}

/* Called while the preload resolves a function, so the stack below is the trampoline's: can it be unwound to main()? */
static char stack_of_resolution[4096];
const char* fake_mpi_stack(void) { return stack_of_resolution; }

int PMPI_Get_library_version(char* text, int* length) {
  void* frames[32];
  const int depth = backtrace(frames, 32);
  char** names = backtrace_symbols(frames, depth);
  for (int i = 0; names && i < depth; ++i) {
    strncat(stack_of_resolution, names[i], sizeof stack_of_resolution - strlen(stack_of_resolution) - 2);
    strcat(stack_of_resolution, "\n");
  }
  free(names);
  *length = sprintf(text, "%s", LIBRARY_VERSION);
  return 0;
}

/* Returns what arrived, one decimal digit per argument: 1 + 2 + ... in order means that nothing was lost. */
int PMPI_Bcast(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, double v, double w, double x, double y,
               double z, double p, double q, double r, intptr_t f, intptr_t g, intptr_t h, intptr_t i) {
  ++calls;
  const intptr_t words[] = {a, b, c, d, e, f, g, h, i};
  const double numbers[] = {v, w, x, y, z, p, q, r};
  for (int k = 0; k < 9; ++k) {
    if (words[k] != k + 1) return 100 + k;
  }
  for (int k = 0; k < 8; ++k) {
    if (numbers[k] != k + 0.5) return 200 + k;
  }
  return 0;
}
BOTH(MPI_Bcast)

/* No large-count form is there. Gives back the count that arrived. */
int PMPI_Allreduce(const void* in, void* out, int count, void* type, void* op, void* communicator) {
  ++calls;
  return in == (void*)1 && out == (void*)2 && type == (void*)4 && op == (void*)5 && communicator == (void*)6 ? count
                                                                                                             : -7;
}
BOTH(MPI_Allreduce)

static int is_initialized;
int PMPI_Initialized(int* flag) { return *flag = is_initialized, 0; }

int PMPI_Init(int* argc, char*** argv) { return ++calls, is_initialized = 1, argc && argv ? 0 : 1; }
BOTH(MPI_Init)

int PMPI_Barrier(void* communicator) { return ++calls, communicator == (void*)1 ? 0 : 1; }
BOTH(MPI_Barrier)
