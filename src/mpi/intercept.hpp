// SPDX-License-Identifier: Apache-2.0
// The way of an intercepted call. What was decided before for such a call is found and done here; everything else, and
// every first time, is up to decide.cpp.
#pragma once

#include "mpi/classify.hpp"
#include "mpi/context.hpp"
#include "mpi/errors.hpp"
#include "mpi/forward.hpp"

namespace espalier {

// Return an MPI code, after the communicator's error handler has had its say. Exceptions that leave these are the
// application's, thrown by an error handler or an operation of its own. They take copies, so that on the fast path the
// compiler keeps a call in registers.
[[nodiscard]] int decide_and_do(Call call, Communicator* known);
[[nodiscard]] int do_timed(Call call, Communicator& communicator, const RecentCall& recent);

// What is done about a run that did not end well. Returns an MPI code.
[[nodiscard]] int do_after_failure(const Call& call, Communicator& communicator, const Prepared& prepared, int status);

[[nodiscard]] inline Buffers buffers_of(const Call& call, BufferUse use) {
  auto* output = static_cast<std::byte*>(call.output);
  return {use == BufferUse::in_place ? output : static_cast<const std::byte*>(call.input), output};
}

[[nodiscard]] inline int do_native(const Call& call, Communicator& communicator) {
  communicator.counter(call.collective).count_native();
  return forward(context->mpi, call);
}

[[nodiscard]] inline int do_own(const Call& call, Communicator& communicator, Prepared& prepared,
                                const Buffers& buffers) {
  communicator.counter(call.collective).count_own();
  communicator.prepared.touch(prepared);
  const int status = prepared.run(communicator.call(), buffers);
  if (status == MPI_SUCCESS && !prepared.failed()) [[likely]]
    return status;
  return do_after_failure(call, communicator, prepared, status);
}

// `caller`: where the call returns to.
[[gnu::always_inline]] inline int intercept(const Call& call, const void* caller) {
  const Context& here = *context;
  if (!here.active.load(std::memory_order_acquire) || here.host.is_internal(caller) != 0) {
    return forward(here.mpi, call);
  }
  Communicator* const communicator = here.communicators.find(call.comm);
  if (communicator == nullptr) [[unlikely]]
    return decide_and_do(call, nullptr);
  communicator->begin_call();
  const BufferUse use = use_of_buffers(call, communicator->rank(), here.tolerates_aliases);
  const RecentCall& recent = communicator->recent.place_of(call);
  if (use == BufferUse::wrong || !recent.is_for(call, use == BufferUse::in_place)) [[unlikely]] {
    return decide_and_do(call, communicator);
  }
  if (recent.row != nullptr) [[unlikely]]
    return do_timed(call, *communicator, recent);
  if (recent.prepared == nullptr) return do_native(call, *communicator);
  if (!has_buffers(call, communicator->rank())) [[unlikely]]
    return do_native(call, *communicator);
  return do_own(call, *communicator, *recent.prepared, buffers_of(call, use));
}

}  // namespace espalier
