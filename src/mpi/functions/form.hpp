// SPDX-License-Identifier: Apache-2.0
// The functions that take the place of the MPI's collective ones, made from their arguments: a blocking, a nonblocking
// and a persistent one each, with small and with large counts.
#pragma once

#include <tuple>
#include <utility>

#include "mpi/call/large_counts.hpp"
#include "mpi/calls/intercept.hpp"
#include "mpi/deferred/nonblocking_collective.hpp"
#include "mpi/deferred/persistent_collective.hpp"
#include "mpi/functions/arguments.hpp"
#include "mpi/neighbours/blocking_exchange.hpp"
#include "mpi/neighbours/nonblocking_exchange.hpp"
#include "mpi/neighbours/persistent_exchange.hpp"

namespace espalier {

// Each says what a function of its form has on top of the arguments of the blocking one, and what is done with the
// call: run() with that of a collective, exchange() with one to neighbours.
struct Blocking {
  static constexpr CallForm form = CallForm::blocking;
  static constexpr std::size_t more_arguments = 0;
  template <class List, class Count, class Displacement, class Native>
  static int pass(Native native, const Call& call) {
    return Arguments<List>::template pass<Count, Displacement>(native, call);
  }
  static void note(Call&) {}
  [[gnu::always_inline]] static int run(const Call& call, const void* caller) { return intercept(call, caller); }
  static int exchange(const Call& call, const void* caller) { return exchange_with_neighbours(call, caller); }
};

struct Nonblocking {
  static constexpr CallForm form = CallForm::nonblocking;
  static constexpr std::size_t more_arguments = 1;
  template <class List, class Count, class Displacement, class Native>
  static int pass(Native native, const Call& call) {
    return Arguments<List>::template pass<Count, Displacement>(native, call, call.request);
  }
  static void note(Call& call, MPI_Request* request) { call.request = request; }
  static int run(const Call& call, const void* caller) { return start_nonblocking(call, caller); }
  static int exchange(const Call& call, const void* caller) { return start_exchange(call, caller); }
};

struct Persistent {
  static constexpr CallForm form = CallForm::persistent;
  static constexpr std::size_t more_arguments = 2;
  template <class List, class Count, class Displacement, class Native>
  static int pass(Native native, const Call& call) {
    return Arguments<List>::template pass<Count, Displacement>(native, call, call.info, call.request);
  }
  static void note(Call& call, MPI_Info info, MPI_Request* request) {
    call.info = info;
    call.request = request;
  }
  static int run(const Call& call, const void* caller) { return init_persistent(call, caller); }
  static int exchange(const Call& call, const void* caller) { return init_persistent_exchange(call, caller); }
};

// The native function: that with large counts by that with small ones where the MPI has none, and in reverse an error.
template <class Form, class List, auto small>
int pass_small(const Native& mpi, const Call& call) {
  if (mpi.*small == nullptr) return raise_unsupported(mpi, call);
  return Form::template pass<List, int, int>(mpi.*small, call);
}
template <class Form, class List, auto small, auto large>
int pass_large(const Native& mpi, const Call& call) {
  if (mpi.*large == nullptr) return pass_by_small_counts(mpi, call, pass_small<Form, List, small>);
  return Form::template pass<List, MPI_Count, MPI_Aint>(mpi.*large, call);
}

// The same of a blocking collective whose blocks have one size: the arguments stay where they are.
template <const Function& function, class List, auto native, class... All>
int even_entry_point(All... arguments) {
  const void* const caller = __builtin_return_address(0);
  const CallSite site{caller, __builtin_dwarf_cfa()};
  const auto make = [&] [[gnu::always_inline]] {
    Call call = Arguments<List>::call(arguments...);
    call.function = &function;
    call.site = site;
    return call;
  };
  const auto natively = [&] [[gnu::always_inline]] (const Native& mpi) {
    return mpi.*native != nullptr ? (mpi.*native)(arguments...) : function.native(mpi, make());
  };
  return intercept_even(make, natively, caller);
}

template <const Function& function, class Form, class List, class... All>
int entry_point(All... arguments) {
  const auto all = std::tuple(arguments...);
  constexpr std::size_t own = sizeof...(All) - Form::more_arguments;
  Call call = [&]<std::size_t... k>(std::index_sequence<k...>) { return Arguments<List>::call(std::get<k>(all)...); }
  (std::make_index_sequence<own>());
  [&]<std::size_t... k>(std::index_sequence<k...>) { Form::note(call, std::get<own + k>(all)...); }
  (std::make_index_sequence<Form::more_arguments>());
  call.function = &function;
  const void* const caller = __builtin_return_address(0);
  call.site = {caller, __builtin_dwarf_cfa()};
  if constexpr (function.kind == FunctionKind::exchange) {
    return Form::exchange(call, caller);
  } else {
    return Form::run(call, caller);
  }
}

// `native`: the function whose place it takes.
template <const Function& function, class Form, class List, auto native>
[[nodiscard]] EspalierEntry entry_for() {
  return []<class... All>(int (*Native::* /*native*/)(All...)) {
    constexpr bool is_even = function.kind == FunctionKind::collective && !function.is_uneven;
    if constexpr (is_even && Form::form == CallForm::blocking) {
      return entry(function.name, even_entry_point<function, List, native, All...>);
    } else {
      return entry(function.name, entry_point<function, Form, List, All...>);
    }
  }(native);
}

}  // namespace espalier
