/* SPDX-License-Identifier: Apache-2.0 */
/* Compiles if this MPI declares the intercepted functions as the preload's list has them. */
#include <mpi.h>

#ifndef MPI_SESSION_NULL
typedef struct NoSession* MPI_Session; /* not among its functions, so of any type */
#endif

#define ESPALIER_FUNCTION(name, result, parameters) \
  result name parameters;                           \
  result P##name parameters;
#include "preload/trampolines/functions.inc"
