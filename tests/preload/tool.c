/* SPDX-License-Identifier: Apache-2.0 */
/* A profiling tool: wraps MPI_Init and MPI_Barrier and says how often it saw them. */
#include <stdio.h>

int PMPI_Init(int*, char***);
int PMPI_Barrier(void*);

static int seen;
__attribute__((destructor)) static void report(void) { printf("tool saw %d\n", seen); }

int MPI_Init(int* argc, char*** argv) { return ++seen, 0 + PMPI_Init(argc, argv); }
int MPI_Barrier(void* communicator) { return ++seen, 0 + PMPI_Barrier(communicator); }
