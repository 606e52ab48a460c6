// SPDX-License-Identifier: Apache-2.0
#include "mpi/requests/reported_request.hpp"

#include "mpi/call/account.hpp"
#include "mpi/call/addressed.hpp"
#include "mpi/calls/enter.hpp"
#include "mpi/requests/requests.hpp"

namespace espalier {

void report_request(const Call& call, const RanAs& ran_as, int status, Clock::duration taken) {
  (void)guarded(call, [&] {
    const bool has_request = status == MPI_SUCCESS && call.request != nullptr;
    const bool is_persistent = call.function->form == CallForm::persistent;
    const std::size_t bytes = has_request ? given_bytes(context->job.mpi, call) : 0;
    const Communicator* const communicator = context->communicators.find_known(call.comm);
    const std::string_view name = communicator != nullptr ? communicator->name() : std::string_view();
    StatisticsRow& row = context->communicators.lasting_row(ReportKey(call, bytes, ran_as, name).view());
    const CallAccount account = account_of(context->job, call);
    if (!is_persistent) row.add_from_any_thread(1, bytes, taken);
    if (!is_persistent) account.add(1, bytes, taken);
    if (has_request) requests().counted.insert(*call.request, {&row, account, bytes, is_persistent});
  });
}

int pass_on_request(const Call& call, const char* reason) {
  return do_reported(call, ran_natively(reason), [&] { return call.function->native(context->job.mpi, call); });
}

int pass_on_request_from(const Call& call, const void* caller, const char* reason) {
  if (!is_to_be_looked_at(caller)) return call.function->native(context->job.mpi, call);
  return pass_on_request(call, reason);
}

}  // namespace espalier
