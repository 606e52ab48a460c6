// SPDX-License-Identifier: Apache-2.0
// Requests of the application's own, and progress. Nonblocking collectives are over when they have begun: their ranks
// wait for each other there.
#include "fake/state.hpp"

namespace espalier::fake {

namespace {

int (*the_hook)() = nullptr;

int start_generalized(MPI_Grequest_query_function* query, MPI_Grequest_free_function* on_free,
                      MPI_Grequest_cancel_function* cancel, void* extra, MPI_Request* request) {
  *request = state().requests.add({.generalized = {{query, on_free, cancel, extra}}});
  return MPI_SUCCESS;
}

int complete_generalized(MPI_Request request) {
  state().requests.at(request).is_over = true;
  note_progress();
  return MPI_SUCCESS;
}

int set_elements(MPI_Status* status, MPI_Datatype, int count) {
  status->count_lo = count;
  return MPI_SUCCESS;
}

int set_cancelled(MPI_Status* status, int is_cancelled) {
  status->count_hi_and_cancelled = is_cancelled;
  return MPI_SUCCESS;
}

int begun(int status, MPI_Request* request) {
  if (status == MPI_SUCCESS) *request = state().requests.add({.is_over = true});
  return status;
}

int ibarrier(MPI_Comm comm, MPI_Request* request) { return begun(functions().Barrier(comm), request); }

int ibcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request) {
  return begun(functions().Bcast(buffer, count, type, root, comm), request);
}

int ireduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm,
            MPI_Request* request) {
  return begun(functions().Reduce(input, output, count, type, op, root, comm), request);
}

int iallreduce(const void* input, void* output, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
               MPI_Request* request) {
  return begun(functions().Allreduce(input, output, count, type, op, comm), request);
}

}  // namespace

void make_progress() {
  if (the_hook != nullptr && the_hook() > 0) note_progress();
}

void add_requests(Native& table) {
  table.Grequest_start = start_generalized;
  table.Grequest_complete = complete_generalized;
  table.Status_set_elements = set_elements;
  table.Status_set_cancelled = set_cancelled;
  table.Ibarrier = ibarrier;
  table.Ibcast = ibcast;
  table.Ireduce = ireduce;
  table.Iallreduce = iallreduce;
}

// As Open MPI has them, for whoever looks them up by name.
extern "C" [[gnu::visibility("default")]] int opal_progress_register(int (*hook)()) {
  the_hook = hook;
  return 0;
}
extern "C" [[gnu::visibility("default")]] int opal_progress_unregister(int (*)()) {
  the_hook = nullptr;
  return 0;
}

}  // namespace espalier::fake
