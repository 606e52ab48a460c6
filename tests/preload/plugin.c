/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin that uses the MPI that it is linked with. */
#include <stddef.h>

int MPI_Init(int*, char***);
int MPI_Barrier(void*);
int fake_mpi_calls(void);

int plugin_start(void) {
  int argc = 0;
  char** argv = NULL;
  return MPI_Init(&argc, &argv);
}
int plugin_step(void) { return 0 + MPI_Barrier((void*)1); }
int plugin_native_calls(void) { return fake_mpi_calls(); }
