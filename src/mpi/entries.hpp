// SPDX-License-Identifier: Apache-2.0
// The functions that take the place of the MPI's.
#pragma once

#include <mpi.h>

namespace espalier {

int entry_Init(int* argc, char*** argv);
int entry_Init_thread(int* argc, char*** argv, int required, int* provided);

int entry_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
int entry_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype type, int root, MPI_Comm comm);
int entry_Reduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int entry_Reduce_c(const void* input, void* output, MPI_Count count, MPI_Datatype type, MPI_Op op, int root,
                   MPI_Comm comm);
int entry_Allreduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int entry_Allreduce_c(const void* input, void* output, MPI_Count count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int entry_Barrier(MPI_Comm comm);

int entry_Comm_free(MPI_Comm* comm);
int entry_Comm_disconnect(MPI_Comm* comm);

}  // namespace espalier
