// SPDX-License-Identifier: Apache-2.0
// The course of an intercepted call. What was decided before for such a call is found and done here; everything else,
// and every first time, is a cold call (blocking_collective.cpp).
#pragma once

#include "mpi/calls/enter.hpp"
#include "mpi/calls/run_call.hpp"
#include "mpi/calls/stopwatch.hpp"

namespace espalier {

// Return an MPI code, after the communicator's error handler has had its say. Exceptions that leave these are the
// application's, thrown by an error handler or an operation of its own. They take copies, so that on the fast path the
// compiler keeps a call in registers.
[[nodiscard]] int do_cold_call(Call call, PreparedCommunicator& communicator);
// On a communicator that is not known yet.
[[nodiscard]] int do_first_call(Call call);
// By what is remembered, while somebody looks how long it takes.
[[nodiscard]] int do_watched_call(Call call, PreparedCommunicator& communicator, const RecentCall& recent);

// Where a call like this one is remembered, whose buffers stand to each other as they should. Of calls between groups
// nothing is: their arrays are as long as the other group is large.
[[gnu::always_inline]] inline RecentCall& recent_place(const Call& call, bool in_place,
                                                       PreparedCommunicator& communicator) {
  const bool has_own_blocks = call.function->is_uneven && !communicator.is_between_groups();
  const std::uintptr_t blocks =
      has_own_blocks ? NamedBlocks::hash(call, in_place, communicator.rank(), communicator.size()) : 0;
  return communicator.recent.place_of(call, blocks);
}

// A call whose blocks have one size, on a communicator that is known. What it says is looked at without keeping it in
// memory: next to a short call that would take long, for where ranks share memory, stores wait for each other.
// `make()` makes the call for those who want to keep it, and `natively()` hands its arguments on.
template <class Make, class Natively>
[[gnu::always_inline]] inline int do_even_call(Make make, Natively natively, PreparedCommunicator& communicator) {
  const Call call = make();
  communicator.begin_call();
  const BufferUse use = use_of_buffers(call, communicator.rank());
  const bool in_place = use == BufferUse::in_place;
  const RecentCall& recent = communicator.recent.place_of(call, 0);
  if (use > BufferUse::in_place || !recent.is_for_even(call, in_place) || !recent.is_current()) [[unlikely]]
    return do_cold_call(make(), communicator);
  // What looks wrong is not counted, as it is not by a cold call.
  const bool matters = recent.prepared != nullptr || recent.counter != nullptr;
  if (matters && !has_buffers(call, communicator.rank())) [[unlikely]]
    return do_cold_call(make(), communicator);
  recent.count();
  if (recent.is_watched) [[unlikely]]
    return do_watched_call(make(), communicator, recent);
  CallCounter& counter = communicator.counter(call.collective());
  if (recent.prepared == nullptr) {
    counter.count_native();
    return natively(communicator.job().mpi);
  }
  counter.count_own();
  return run_prepared_of(make, communicator, *recent.prepared, recent.buffers(call));
}

// On a communicator that is known.
[[gnu::always_inline]] inline int do_call(const Call& call, PreparedCommunicator& communicator) {
  communicator.begin_call();
  const BufferUse use = use_of_buffers(call, communicator.rank());
  if (use > BufferUse::in_place) [[unlikely]]
    return do_cold_call(call, communicator);
  const bool in_place = use == BufferUse::in_place;
  const RecentCall& recent = recent_place(call, in_place, communicator);
  if (!recent.is_for(call, in_place) || !recent.is_current()) [[unlikely]]
    return do_cold_call(call, communicator);
  // What looks wrong is not counted, as it is not by a cold call.
  const bool matters = recent.prepared != nullptr || recent.counter != nullptr;
  if (matters && !has_buffers(call, communicator.rank())) [[unlikely]]
    return do_cold_call(call, communicator);
  recent.count();
  if (recent.is_watched) [[unlikely]]
    return do_watched_call(call, communicator, recent);
  if (recent.prepared == nullptr) return run_native(call, communicator);
  return run_own(call, communicator, *recent.prepared, recent.buffers(call));
}

template <class Make, class Natively>
[[gnu::always_inline]] inline int intercept_even(Make make, Natively natively, const void* caller) {
  const Context& here = *context;
  if (!is_to_be_looked_at(caller, here)) return natively(here.job.mpi);
  auto* const communicator = static_cast<PreparedCommunicator*>(here.communicators.find(make().comm));
  if (communicator == nullptr) [[unlikely]]
    return do_first_call(make());
  return do_even_call(make, natively, *communicator);
}

// `caller`: where the call returns to.
[[gnu::always_inline]] inline int intercept(const Call& call, const void* caller) {
  return enter(
      call, caller, [&] [[gnu::always_inline]] { return do_first_call(call); },
      [&] [[gnu::always_inline]] (PreparedCommunicator & communicator) { return do_call(call, communicator); });
}

}  // namespace espalier
