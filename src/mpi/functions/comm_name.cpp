// SPDX-License-Identifier: Apache-2.0
// MPI_Comm_set_name: the report has rows of their own for communicators that the program has named.
#include <new>

#include "mpi/calls/enter.hpp"
#include "mpi/calls/entries.hpp"

namespace espalier {

namespace {

// What was remembered of its calls is of rows of another name. A thread that names a communicator while another one
// calls on it does not find them changed under it: then the name counts for calls of new kinds.
void note_name(PreparedCommunicator& communicator) try {
  context->communicators.note_name(communicator);
  int level = MPI_THREAD_MULTIPLE;
  (void)context->job.mpi.Query_thread(&level);
  if (level < MPI_THREAD_MULTIPLE) communicator.recent.clear();
} catch (const std::bad_alloc&) {
  // Only the report lacks it.
}

int entry_Comm_set_name(MPI_Comm comm, const char* name) {
  const int status = context->job.mpi.Comm_set_name(comm, name);
  if (status != MPI_SUCCESS || !is_to_be_looked_at(__builtin_return_address(0)) || !context->job.reports())
    return status;
  if (auto* const known = static_cast<PreparedCommunicator*>(context->communicators.find_known(comm)))
    note_name(*known);
  return status;
}

const Entries naming_entries({entry("MPI_Comm_set_name", entry_Comm_set_name)});

}  // namespace

}  // namespace espalier
