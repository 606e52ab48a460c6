// SPDX-License-Identifier: Apache-2.0
// All forms of all collective functions, from the one list of them.
#include "mpi/calls/entries.hpp"
#include "mpi/functions/form.hpp"

namespace espalier {

#define COLLECTIVE(name) extern const Contract name##_contract;
#include "core/collectives.def"
#undef COLLECTIVE

namespace {

template <class Form, class List, auto small>
constexpr Function small_form(const char* name, const char* collective, FunctionKind kind, const Contract* contract) {
  return {.name = name,
          .collective = collective,
          .form = Form::form,
          .kind = kind,
          .contract = contract,
          .is_uneven = Arguments<List>::is_uneven,
          .is_typed = Arguments<List>::is_typed,
          .names_data_twice = Arguments<List>::names_data_twice,
          .native = pass_small<Form, List, small>};
}

template <class Form, class List, auto small, auto large>
constexpr Function large_form(const char* name, const char* collective, FunctionKind kind, const Contract* contract) {
  Function function = small_form<Form, List, small>(name, collective, kind, contract);
  function.is_large = true;
  function.native = pass_large<Form, List, small, large>;
  return function;
}

#define FORM(Name, Form, what, kind, contract, List)                                         \
  constexpr Function Name##_function =                                                       \
      small_form<Form, arguments::List, &Native::Name>("MPI_" #Name, #what, kind, contract); \
  constexpr Function Name##_c_function =                                                     \
      large_form<Form, arguments::List, &Native::Name, &Native::Name##_c>("MPI_" #Name "_c", #what, kind, contract);
#define FORMS(Name, IName, what, kind, contract, List) \
  FORM(Name, Blocking, what, kind, contract, List)     \
  FORM(IName, Nonblocking, what, kind, contract, List) \
  FORM(Name##_init, Persistent, what, kind, contract, List)
#define COLLECTIVE_FUNCTION(Name, IName, what, List) \
  FORMS(Name, IName, what, FunctionKind::collective, &what##_contract, List)
#define PASSED_ON_FUNCTION(Name, IName, what, List) FORMS(Name, IName, what, FunctionKind::exchange, nullptr, List)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
#undef FORMS
#undef FORM

// What has no counts has no large forms.
template <class List>
Entries add(const EspalierEntry& small, const EspalierEntry& large) {
  return Arguments<List>::has_counts ? Entries({small, large}) : Entries({small});
}

#define FORM(Name, Form, List)                                                                 \
  const Entries Name##_entries =                                                               \
      add<arguments::List>(entry_for<Name##_function, Form, arguments::List, &Native::Name>(), \
                           entry_for<Name##_c_function, Form, arguments::List, &Native::Name##_c>());
#define COLLECTIVE_FUNCTION(Name, IName, collective, List) \
  FORM(Name, Blocking, List) FORM(IName, Nonblocking, List) FORM(Name##_init, Persistent, List)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
#undef FORM

}  // namespace

}  // namespace espalier
