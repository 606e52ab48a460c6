// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/reported_request.hpp"

#include "mpi/calls/addressed.hpp"
#include "mpi/calls/errors.hpp"
#include "mpi/calls/pass_on.hpp"
#include "mpi/calls/report_key.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

void report_request(const Call& call, const Choice& choice, int status, Clock::duration taken) {
  (void)guarded(call, [&] {
    const bool has_request = status == MPI_SUCCESS && call.request != nullptr;
    const bool is_persistent = call.function->form == CallForm::persistent;
    const std::size_t bytes = has_request ? said_bytes(context->job.mpi, call) : 0;
    const std::string parameters = parameters_of(choice);
    StatisticsRow& row = context->communicators.lasting_row(key_of(call, bytes, choice, parameters));
    if (!is_persistent) row.add_from_any_thread(1, bytes, taken);
    if (has_request) requests().counted.insert(*call.request, {&row, bytes, is_persistent});
  });
}

int pass_on_request(const Call& call, const char* reason) {
  return do_reported(call, {.reason = reason}, [&] { return call.function->native(context->job.mpi, call); });
}

int pass_on_request_from(const Call& call, const void* caller) {
  const Context& here = *context;
  if (!here.active.load(std::memory_order_acquire) || here.job.host.is_internal(caller) != 0) {
    return call.function->native(here.job.mpi, call);
  }
  return pass_on_request(call, no_algorithm);
}

}  // namespace espalier
