// SPDX-License-Identifier: Apache-2.0
// The real MPI library's functions, looked up by their profiling names. Nothing of ours refers to an MPI function at
// link time: that would reach our own interception, or another MPI than the program's.
#pragma once

#include "native/prototypes.hpp"

namespace espalier {

// Besides the collective functions (collective_functions.def), every MPI since 3.0 has these.
// clang-format off
#define ESPALIER_NATIVE_FUNCTIONS(X) \
  X(Init) X(Init_thread) X(Finalize) \
  X(Grequest_start) X(Grequest_complete) X(Status_set_elements) X(Status_set_cancelled) X(Type_create_hindexed) X(Send_init) X(Ssend_init) X(Rsend_init) X(Recv_init) X(Start) X(Startall) \
  X(Send) X(Isend) X(Issend) X(Recv) X(Irecv) X(Iprobe) X(Wait) X(Test) X(Waitall) X(Testall) X(Waitany) X(Testany) X(Waitsome) X(Testsome) X(Request_get_status) X(Cancel) X(Request_free) \
  X(Get_count) X(Sendrecv) X(Pack) X(Unpack) X(Reduce_local) X(Op_commutative) X(Comm_rank) X(Comm_size) X(Comm_remote_size) X(Comm_test_inter) X(Comm_group) X(Comm_dup) X(Comm_dup_with_info) X(Comm_create) X(Comm_create_group) X(Comm_split) \
  X(Comm_free) X(Comm_disconnect) X(Comm_split_type) X(Comm_create_keyval) X(Comm_free_keyval) X(Comm_get_attr) X(Comm_set_attr) X(Comm_get_name) X(Comm_set_name) \
  X(Comm_get_errhandler) X(Comm_set_errhandler) X(Comm_call_errhandler) X(Errhandler_free) X(Topo_test) X(Cartdim_get) X(Cart_create) X(Cart_sub) X(Cart_shift) X(Cart_get) X(Comm_compare) X(Graph_create) X(Graph_neighbors_count) X(Graph_neighbors) X(Dist_graph_create) X(Dist_graph_create_adjacent) X(Dist_graph_neighbors_count) X(Dist_graph_neighbors) X(Info_get) X(Group_size) X(Group_translate_ranks) X(Group_free) \
  X(Type_size_x) X(Type_get_extent) X(Type_get_true_extent) X(Type_get_envelope) X(Type_get_contents) \
  X(Type_contiguous) X(Type_create_struct) X(Type_create_resized) X(Type_commit) X(Type_free) X(Type_create_keyval) \
  X(Type_free_keyval) X(Type_get_attr) X(Type_set_attr) X(Get_library_version) X(Error_class) X(Error_string) X(Query_thread)

// These came later: header and library may be older.
#define ESPALIER_OPTIONAL_FUNCTIONS(X) \
  X(Session_init, (MPI_Info, MPI_Errhandler, void*)) \
  X(Request_get_status_all, (int, const MPI_Request[], int*, MPI_Status[])) \
  X(Request_get_status_any, (int, const MPI_Request[], int*, int*, MPI_Status*)) \
  X(Request_get_status_some, (int, const MPI_Request[], int*, int[], MPI_Status[])) \
  X(Send_init_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)) \
  X(Ssend_init_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)) \
  X(Rsend_init_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*)) \
  X(Recv_init_c, (void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))

// MPIX_X: whether a request is complete, without any progress (MPICH); fault tolerance (ULFM).
#define ESPALIER_EXTENSIONS(X) \
  X(Request_is_complete, (MPI_Request)) \
  X(Comm_is_revoked, (MPI_Comm, int*)) \
  X(Comm_get_failed, (MPI_Comm, MPI_Group*)) \
  X(Comm_agree, (MPI_Comm, int*))
// clang-format on

struct Native {
  // Large counts and persistent collectives came with MPI-4.0: null where the library has none.
#define COLLECTIVE_FUNCTION(Name, Nonblocking, collective, List)                            \
  arguments::List::Prototype<int, int>* Name = nullptr;                                     \
  arguments::List::Prototype<MPI_Count, MPI_Aint>* Name##_c = nullptr;                      \
  arguments::List::Prototype<int, int, MPI_Request*>* Nonblocking = nullptr;                \
  arguments::List::Prototype<MPI_Count, MPI_Aint, MPI_Request*>* Nonblocking##_c = nullptr; \
  arguments::List::Prototype<int, int, MPI_Info, MPI_Request*>* Name##_init = nullptr;      \
  arguments::List::Prototype<MPI_Count, MPI_Aint, MPI_Info, MPI_Request*>* Name##_init_c = nullptr;
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION

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
