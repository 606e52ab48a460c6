/* SPDX-License-Identifier: Apache-2.0 */
/* A program over a serial stand-in: prints what each call gives, and how many arrived. */
#include <stdint.h>
#include <stdio.h>

int MPI_Init(int*, char***);
int MPI_Barrier(void*);
int MPI_Allreduce(const void*, void*, int, void*, void*, void*);
int fake_mpi_calls(void);
#ifdef PROFILING_NAMES
int PMPI_Barrier(void*);
#endif
#ifdef WITH_A_LIBRARY
int plugin_step(void);
#endif

int main(int argc, char** argv) {
  printf("%d", MPI_Init(&argc, &argv));
  for (int i = 0; i < 3; ++i) printf(" %d", MPI_Barrier((void*)1));
  printf(" %d", MPI_Allreduce((void*)1, (void*)2, 3, (void*)4, (void*)5, (void*)6));
#ifdef PROFILING_NAMES
  printf(" %d", PMPI_Barrier((void*)1));
#endif
#ifdef WITH_A_LIBRARY
  printf(" %d", plugin_step());
#endif
  printf(", %d calls\n", fake_mpi_calls());
  return 0;
}
