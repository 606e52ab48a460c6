// SPDX-License-Identifier: Apache-2.0
#include "shared/collective_forms.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "mpi/functions/arguments.hpp"
#include "shared/mpi_functions.hpp"

namespace espalier {

#define COLLECTIVE(name) extern const Contract name##_contract;
#include "core/collectives.def"
#undef COLLECTIVE

namespace apps {

namespace {

template <Kind kind, class List, class Count, class Displacement, auto function>
int make(const Native& functions, const Call& call) {
  const auto make_with = [&](auto... more) {
    return Arguments<List>::template pass<Count, Displacement>(functions.*function, call, more...);
  };
  if constexpr (kind == Kind::blocking) return make_with();
  if constexpr (kind == Kind::nonblocking) return make_with(call.request);
  if constexpr (kind == Kind::persistent) return make_with(call.info, call.request);
}

template <Kind kind, class List, class Count, class Displacement, auto function, auto plain>
constexpr Form form(const char* name, const Contract& contract) {
  return {.function = {.name = name,
                       .contract = &contract,
                       .is_large = !std::is_same_v<Count, int>,
                       .is_uneven = Arguments<List>::is_uneven,
                       .is_typed = Arguments<List>::is_typed,
                       .names_data_twice = Arguments<List>::names_data_twice,
                       .native = make<kind, List, Count, Displacement, function>},
          .kind = kind,
          .is_in = [](const Native& functions) { return functions.*function != nullptr; },
          .call_plainly = make<Kind::blocking, List, int, int, plain>};
}

#define BOTH(kind, Name, Plain, collective, List)                                                            \
  form<kind, arguments::List, int, int, &Native::Name, &Native::Plain>("MPI_" #Name, collective##_contract), \
      form<kind, arguments::List, MPI_Count, MPI_Aint, &Native::Name##_c, &Native::Plain>("MPI_" #Name "_c", \
                                                                                          collective##_contract),

const Form blocking[] = {
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) BOTH(Kind::blocking, Name, Name, collective, List)
#define PASSED_ON_FUNCTION(...)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
};
const Form nonblocking[] = {
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) BOTH(Kind::nonblocking, IName, Name, collective, List)
#define PASSED_ON_FUNCTION(...)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
};
const Form persistent[] = {
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) BOTH(Kind::persistent, Name##_init, Name, collective, List)
#define PASSED_ON_FUNCTION(...)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
};
#undef BOTH

}  // namespace

std::span<const Form> forms_of(Kind kind) {
  switch (kind) {
    case Kind::blocking: return blocking;
    case Kind::nonblocking: return nonblocking;
    case Kind::persistent: return persistent;
  }
  return {};
}

std::span<const Form> callable_forms() {
  static const std::vector<Form> all = [] {
    std::vector<Form> found;
    for (const Kind kind : {Kind::blocking, Kind::nonblocking, Kind::persistent}) {
      std::ranges::copy_if(forms_of(kind), std::back_inserter(found),
                           [](const Form& form) { return form.is_in(called_mpi()); });
    }
    return found;
  }();
  return all;
}

const Form& form_named(std::string_view name) {
  const auto all = callable_forms();
  const auto found =
      std::ranges::find(all, name, [](const Form& form) { return std::string_view(form.function.name); });
  if (found == all.end()) throw std::invalid_argument("no such function: " + std::string(name));
  return *found;
}

const Form& callable(const Form& form) {
  const bool is_missing = form.function.is_large && !form.is_in(called_mpi());
  return is_missing ? (&form)[-1] : form;
}

}  // namespace apps

}  // namespace espalier
