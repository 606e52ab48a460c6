// SPDX-License-Identifier: Apache-2.0
// The real MPI library's functions, looked up by their profiling names. Nothing of ours refers to an MPI function at
// link time: that would reach our own interception, or another MPI than the program's.
#pragma once

#include <mpi.h>

namespace espalier {

// Every MPI since 3.0 has these.
// clang-format off
#define ESPALIER_NATIVE_FUNCTIONS(X) \
  X(Init) X(Init_thread) X(Finalize) X(Bcast) X(Reduce) X(Allreduce) X(Exscan) X(Barrier) X(Gather) X(Allgather) X(Gatherv) \
  X(Send) X(Isend) X(Issend) X(Recv) X(Irecv) X(Iprobe) X(Wait) X(Test) X(Testsome) X(Cancel) X(Request_free) \
  X(Get_count) X(Sendrecv) X(Pack) X(Unpack) X(Reduce_local) X(Op_commutative) X(Comm_rank) X(Comm_size) X(Comm_test_inter) X(Comm_group) X(Comm_dup) \
  X(Comm_free) X(Comm_disconnect) X(Comm_split_type) X(Comm_create_keyval) X(Comm_free_keyval) X(Comm_get_attr) X(Comm_set_attr) \
  X(Comm_get_errhandler) X(Comm_set_errhandler) X(Comm_call_errhandler) X(Errhandler_free) X(Group_size) X(Group_translate_ranks) X(Group_free) X(Type_size) \
  X(Type_size_x) X(Type_get_extent) X(Type_get_true_extent) X(Type_get_envelope) X(Type_get_contents) \
  X(Type_contiguous) X(Type_create_struct) X(Type_create_resized) X(Type_commit) X(Type_free) X(Type_create_keyval) \
  X(Type_free_keyval) X(Type_get_attr) X(Type_set_attr) X(Get_library_version) X(Error_class) X(Error_string) X(Query_thread)
// clang-format on

struct Native {
#define ESPALIER_DECLARE(name) decltype(&PMPI_##name) name = nullptr;
  ESPALIER_NATIVE_FUNCTIONS(ESPALIER_DECLARE)
#undef ESPALIER_DECLARE

  // Large counts came with MPI-4: null where the library, or the header that we are compiled with, is older.
  int (*Bcast_c)(void*, MPI_Count, MPI_Datatype, int, MPI_Comm) = nullptr;
  int (*Reduce_c)(const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm) = nullptr;
  int (*Allreduce_c)(const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm) = nullptr;

  // Fault tolerance (ULFM): null where the library has none.
  int (*Comm_is_revoked)(MPI_Comm, int*) = nullptr;
  int (*Comm_get_failed)(MPI_Comm, MPI_Group*) = nullptr;
  int (*Comm_agree)(MPI_Comm, int*) = nullptr;

  // Fills the table from the library behind a dlopen() handle. Returns the name of the first function that is missing,
  // or null if none is.
  [[nodiscard]] const char* load(void* library);
};

}  // namespace espalier
