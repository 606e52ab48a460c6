// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/enter.hpp"
#include "mpi/calls/entries.hpp"
#include "mpi/communicators/freeing.hpp"

namespace espalier {

namespace {

// As MPI_Comm_free or MPI_Comm_disconnect, by the native function.
int free_communicator(int (*native)(MPI_Comm*), MPI_Comm* comm, const void* caller) {
  if (!is_to_be_looked_at(caller) || comm == nullptr || *comm == MPI_COMM_NULL) return native(comm);
  if (Communicator* const known = context->communicators.find_known(*comm)) known->settle();
  Freeing freeing(context->communicators, *comm);
  const int status = native(comm);
  if (status == MPI_SUCCESS) freeing.succeeded();
  return status;
}

int entry_Comm_free(MPI_Comm* comm) {
  return free_communicator(context->job.mpi.Comm_free, comm, __builtin_return_address(0));
}

int entry_Comm_disconnect(MPI_Comm* comm) {
  return free_communicator(context->job.mpi.Comm_disconnect, comm, __builtin_return_address(0));
}

const Entries freeing_entries({
    entry("MPI_Comm_free", entry_Comm_free),
    entry("MPI_Comm_disconnect", entry_Comm_disconnect),
});

}  // namespace

}  // namespace espalier
