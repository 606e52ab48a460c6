// SPDX-License-Identifier: Apache-2.0
#include "mpi/calls/pass_on.hpp"

#include "mpi/call/addressed.hpp"
#include "mpi/call/report_key.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/calls/errors.hpp"

namespace espalier {

namespace {

// Only of a call that the MPI found nothing wrong with it may be asked how many bytes it means.
template <class Add>
int pass_counted(const Call& call, const char* reason, Add add) {
  const Native& mpi = context->job.mpi;
  if (!context->job.reports()) return call.function->native(mpi, call);
  const auto begin = Clock::now();
  const int status = call.function->native(mpi, call);
  const Clock::duration taken = Clock::now() - begin;
  (void)guarded(call, [&] {
    const std::size_t bytes = status == MPI_SUCCESS ? said_bytes(mpi, call) : 0;
    add(key_of(call, bytes, {.reason = reason}, {}), bytes, taken);
  });
  return status;
}

}  // namespace

int pass_on_known(const Call& call, const char* reason, Communicator& communicator) {
  const auto add = [&](const RowKeyView& key, std::size_t bytes, Clock::duration taken) {
    communicator.statistics.row(key).add(1, bytes, taken);
  };
  return pass_counted(call, reason, add);
}

int pass_on_unknown(const Call& call) {
  const auto add = [&](const RowKeyView& key, std::size_t bytes, Clock::duration taken) {
    context->communicators.lasting_row(key).add_from_any_thread(1, bytes, taken);
  };
  return pass_counted(call, no_communicator, add);
}

int pass_on_between_groups(const Call& call, Communicator& communicator) {
  communicator.counter(call.collective()).count_native();
  return pass_on_known(call, communicator.unusual(), communicator);
}

int pass_on(const Call& call, const void* caller, const char* reason) {
  const Context& here = *context;
  if (!here.active.load(std::memory_order_acquire) || !here.job.reports() || here.job.host.is_internal(caller) != 0) {
    return call.function->native(here.job.mpi, call);
  }
  Communicator* communicator = here.communicators.find(call.comm);
  if (communicator == nullptr) {
    if (const int raised = here.communicators.check(call.comm); raised != MPI_SUCCESS) return raised;
    Communicators::Found found;
    (void)guarded(call, [&] { found = context->communicators.find_or_add(call.comm); });
    if (found.raised != MPI_SUCCESS) return found.raised;
    communicator = found.communicator;
  }
  return communicator == nullptr ? pass_on_unknown(call) : pass_on_known(call, reason, *communicator);
}

}  // namespace espalier
