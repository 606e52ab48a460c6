// SPDX-License-Identifier: Apache-2.0
// Persistent requests: how they are started, and collectives behind them, which are over when they have begun.
#include <span>
#include <tuple>

#include "fake/state.hpp"

namespace espalier::fake {

namespace {

int start_request(MPI_Request* request) {
  Request* const found = state().requests.find(*request);
  if (found == nullptr || !found->start || found->is_active) {
    return raise(found != nullptr ? found->comm : MPI_COMM_WORLD, MPI_ERR_REQUEST);
  }
  found->is_active = true;
  found->is_over = false;
  found->start(*request);
  return MPI_SUCCESS;
}

int start_all(int count, MPI_Request requests[]) {
  for (MPI_Request& request : std::span(requests, static_cast<std::size_t>(count))) {
    if (const int status = start_request(&request); status != MPI_SUCCESS) return status;
  }
  return MPI_SUCCESS;
}

template <class Collective>
int make(MPI_Comm comm, MPI_Request* request, Collective collective) {
  const auto start = [collective](MPI_Request its) {
    const int error = collective();
    state().requests.at(its).error = error;
    state().requests.at(its).is_over = true;
  };
  *request = state().requests.add({.comm = comm, .start = start, .is_active = false});
  return MPI_SUCCESS;
}

// The persistent form of a blocking function, whose last argument is the communicator.
template <auto blocking>
struct Persistent;
template <class... Arguments, int (*Native::*blocking)(Arguments...)>
struct Persistent<blocking> {
  static int call(Arguments... arguments, MPI_Info, MPI_Request* request) {
    const MPI_Comm comm = std::get<sizeof...(Arguments) - 1>(std::tuple(arguments...));
    return make(comm, request, [=] { return (functions().*blocking)(arguments...); });
  }
};

}  // namespace

void add_persistent(Native& table) {
  table.Start = start_request;
  table.Startall = start_all;
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) table.Name##_init = Persistent<&Native::Name>::call;
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
}

}  // namespace espalier::fake
