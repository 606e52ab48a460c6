// SPDX-License-Identifier: Apache-2.0
// The real MPI library's functions, looked up by their profiling names. Nothing of ours refers to an MPI function at
// link time: that would reach our own interception, or another MPI than the program's.
#pragma once

#include <mpi.h>

namespace espalier {

// Every MPI since 3.0 has these.
// clang-format off
#define ESPALIER_NATIVE_FUNCTIONS(X) \
  X(Init) X(Init_thread) X(Finalize) X(Bcast) X(Reduce) X(Allreduce) X(Exscan) X(Barrier) X(Gather) X(Gatherv) X(Allgather) X(Allgatherv) X(Alltoall) X(Alltoallv) \
  X(Reduce_scatter_block) X(Ibcast) X(Ireduce) X(Iallreduce) X(Ibarrier) \
  X(Grequest_start) X(Grequest_complete) X(Status_set_elements) X(Status_set_cancelled) X(Type_create_hindexed) X(Recv_init) X(Start) X(Startall) \
  X(Send) X(Isend) X(Issend) X(Recv) X(Irecv) X(Iprobe) X(Wait) X(Test) X(Waitall) X(Testall) X(Waitany) X(Testany) X(Waitsome) X(Testsome) X(Request_get_status) X(Cancel) X(Request_free) \
  X(Get_count) X(Sendrecv) X(Pack) X(Unpack) X(Reduce_local) X(Op_commutative) X(Comm_rank) X(Comm_size) X(Comm_remote_size) X(Comm_test_inter) X(Comm_group) X(Comm_dup) \
  X(Comm_free) X(Comm_disconnect) X(Comm_split_type) X(Comm_create_keyval) X(Comm_free_keyval) X(Comm_get_attr) X(Comm_set_attr) \
  X(Comm_get_errhandler) X(Comm_set_errhandler) X(Comm_call_errhandler) X(Errhandler_free) X(Group_size) X(Group_translate_ranks) X(Group_free) \
  X(Type_size_x) X(Type_get_extent) X(Type_get_true_extent) X(Type_get_envelope) X(Type_get_contents) \
  X(Type_contiguous) X(Type_create_struct) X(Type_create_resized) X(Type_commit) X(Type_free) X(Type_create_keyval) \
  X(Type_free_keyval) X(Type_get_attr) X(Type_set_attr) X(Get_library_version) X(Error_class) X(Error_string) X(Query_thread)

// Large counts and persistent collectives came with MPI-4.0, others later: header and library may be older.
#define ESPALIER_OPTIONAL_FUNCTIONS(X) \
  X(Bcast_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Comm)) \
  X(Reduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm)) \
  X(Allreduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm)) \
  X(Reduce_scatter_block_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm)) \
  X(Allgather_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm)) \
  X(Allgatherv_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count[], const MPI_Aint[], MPI_Datatype, MPI_Comm)) \
  X(Alltoall_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm)) \
  X(Alltoallv_c, (const void*, const MPI_Count[], const MPI_Aint[], MPI_Datatype, void*, const MPI_Count[], const MPI_Aint[], MPI_Datatype, MPI_Comm)) \
  X(Ibcast_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Request*)) \
  X(Ireduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request*)) \
  X(Iallreduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*)) \
  X(Bcast_init, (void*, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*)) \
  X(Bcast_init_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*)) \
  X(Allreduce_init, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*)) \
  X(Allreduce_init_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*)) \
  X(Request_get_status_all, (int, const MPI_Request[], int*, MPI_Status[])) \
  X(Request_get_status_any, (int, const MPI_Request[], int*, int*, MPI_Status*)) \
  X(Request_get_status_some, (int, const MPI_Request[], int*, int[], MPI_Status[]))

// MPIX_X: whether a request is complete, without any progress (MPICH); fault tolerance (ULFM).
#define ESPALIER_EXTENSIONS(X) \
  X(Request_is_complete, (MPI_Request)) \
  X(Comm_is_revoked, (MPI_Comm, int*)) \
  X(Comm_get_failed, (MPI_Comm, MPI_Group*)) \
  X(Comm_agree, (MPI_Comm, int*))
// clang-format on

struct Native {
#define ESPALIER_DECLARE(name) decltype(&PMPI_##name) name = nullptr;
  ESPALIER_NATIVE_FUNCTIONS(ESPALIER_DECLARE)
#undef ESPALIER_DECLARE

  // Null where the library, or the header that we are compiled with, has none.
#define ESPALIER_DECLARE(name, parameters) int(*name) parameters = nullptr;
  ESPALIER_OPTIONAL_FUNCTIONS(ESPALIER_DECLARE)
  ESPALIER_EXTENSIONS(ESPALIER_DECLARE)
#undef ESPALIER_DECLARE

  // Fills the table from the library behind a dlopen() handle. Returns the name of the first function that is missing,
  // or null if none is.
  [[nodiscard]] const char* load(void* library);
};

}  // namespace espalier
