// SPDX-License-Identifier: Apache-2.0
// Requests of the application's own, and progress. Nonblocking collectives are over when they have begun: their ranks
// wait for each other there.
#include "fake/state.hpp"

namespace espalier::fake {

namespace {

int (*the_hook)() = nullptr;
thread_local int hooks_under_way = 0;

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

// The nonblocking form of a blocking function.
template <auto blocking>
struct Nonblocking;
template <class... Arguments, int (*Native::*blocking)(Arguments...)>
struct Nonblocking<blocking> {
  static int call(Arguments... arguments, MPI_Request* request) {
    return begun((functions().*blocking)(arguments...), request);
  }
};

}  // namespace

void make_progress() {
  hooks_under_way++;
  if (the_hook != nullptr && the_hook() > 0) note_progress();
  hooks_under_way--;
}

bool is_inside_hook() { return hooks_under_way > 0; }

void add_requests(Native& table) {
  table.Grequest_start = start_generalized;
  table.Grequest_complete = complete_generalized;
  table.Status_set_elements = set_elements;
  table.Status_set_cancelled = set_cancelled;
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) table.IName = Nonblocking<&Native::Name>::call;
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
}

// As Open MPI has them, for anyone who looks them up by name.
extern "C" [[gnu::visibility("default")]] int opal_progress_register(int (*hook)()) {
  the_hook = hook;
  return 0;
}
extern "C" [[gnu::visibility("default")]] int opal_progress_unregister(int (*)()) {
  the_hook = nullptr;
  return 0;
}

}  // namespace espalier::fake
