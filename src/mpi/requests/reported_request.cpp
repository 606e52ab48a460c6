// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/reported_request.hpp"

#include "mpi/call/addressed.hpp"
#include "mpi/call/report_key.hpp"
#include "mpi/calls/errors.hpp"
#include "mpi/calls/pass_on.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

namespace {

// `key(bytes)`: of the row.
template <class Key>
void report(const Call& call, int status, Clock::duration taken, Key key) {
  (void)guarded(call, [&] {
    const bool has_request = status == MPI_SUCCESS && call.request != nullptr;
    const bool is_persistent = call.function->form == CallForm::persistent;
    const std::size_t bytes = has_request ? said_bytes(context->job.mpi, call) : 0;
    StatisticsRow& row = context->communicators.lasting_row(key(bytes));
    if (!is_persistent) row.add_from_any_thread(1, bytes, taken);
    if (has_request) requests().counted.insert(*call.request, {&row, bytes, is_persistent});
  });
}

}  // namespace

void report_request(const Call& call, const Choice& choice, int status, Clock::duration taken) {
  std::string parameters;
  report(call, status, taken, [&](std::size_t bytes) {
    parameters = parameters_of(choice);
    return key_of(call, bytes, choice, parameters);
  });
}

void report_request(const Call& call, const RanAs& ran_as, int status, Clock::duration taken) {
  report(call, status, taken, [&](std::size_t bytes) {
    RowKeyView key = key_of(call, bytes, {.reason = ran_as.reason}, {});
    key.algorithm = ran_as.algorithm;
    return key;
  });
}

int pass_on_request(const Call& call, const char* reason) {
  return do_reported(call, Choice{.reason = reason}, [&] { return call.function->native(context->job.mpi, call); });
}

int pass_on_request_from(const Call& call, const void* caller, const char* reason) {
  const Context& here = *context;
  if (!here.active.load(std::memory_order_acquire) || here.job.host.is_internal(caller) != 0) {
    return call.function->native(here.job.mpi, call);
  }
  return pass_on_request(call, reason);
}

}  // namespace espalier
