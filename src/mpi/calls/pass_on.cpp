// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/pass_on.hpp"

#include "mpi/call/account.hpp"
#include "mpi/call/addressed.hpp"
#include "mpi/call/report_key.hpp"
#include "mpi/calls/enter.hpp"

namespace espalier {

namespace {

// Only of a call that the MPI found nothing wrong with it may be asked how many bytes it means.
template <class Add>
int pass_counted(const Call& call, const char* reason, std::string_view communicator, Add add) {
  const Native& mpi = context->job.mpi;
  if (!context->job.reports()) return call.function->native(mpi, call);
  const auto begin = Clock::now();
  const int status = call.function->native(mpi, call);
  const Clock::duration taken = Clock::now() - begin;
  (void)guarded(call, [&] {
    const std::size_t bytes = status == MPI_SUCCESS ? given_bytes(mpi, call) : 0;
    add(ReportKey(call, bytes, ran_natively(reason), communicator).view(), bytes, taken);
    account_of(context->job, call).add(1, bytes, taken);
  });
  return status;
}

}  // namespace

int pass_on_known(const Call& call, const char* reason, Communicator& communicator) {
  const auto add = [&](const RowKeyView& key, std::size_t bytes, Clock::duration taken) {
    communicator.statistics.row(key).add(1, bytes, taken);
  };
  return pass_counted(call, reason, communicator.name(), add);
}

int pass_on_unknown(const Call& call, const char* reason) {
  const auto add = [&](const RowKeyView& key, std::size_t bytes, Clock::duration taken) {
    context->communicators.lasting_row(key).add_from_any_thread(1, bytes, taken);
  };
  return pass_counted(call, reason, {}, add);
}

int pass_on_between_groups(const Call& call, Communicator& communicator) {
  communicator.counter(call.collective()).count_native();
  return pass_on_known(call, communicator.unusual(), communicator);
}

// Nobody agrees on anything there: a communicator that nothing can be kept for does not matter.
int pass_on(const Call& call, const void* caller, const char* reason) {
  const auto pass_on = [&](PreparedCommunicator& communicator) { return pass_on_known(call, reason, communicator); };
  const auto find_and_pass_on = [&] {
    if (!context->job.reports()) return call.function->native(context->job.mpi, call);
    const FoundCommunicator found = find_communicator(call);
    if (found.raised != MPI_SUCCESS) return found.raised;
    return found.communicator != nullptr ? pass_on(*found.communicator) : pass_on_unknown(call, why::no_communicator);
  };
  return enter(call, caller, find_and_pass_on, pass_on);
}

}  // namespace espalier
