// SPDX-License-Identifier: Apache-2.0
#include "functions.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <vector>

#include "mpi/functions/arguments.hpp"

namespace bench {

namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

template <class List, auto espalier::Native::*native>
int call_directly(const espalier::Native& mpi, const espalier::Call& call) {
  return espalier::Arguments<List>::template pass<int, int>(mpi.*native, call);
}

template <class List, auto intercepted>
int call_intercepted(const espalier::Native&, const espalier::Call& call) {
  return espalier::Arguments<List>::template pass<int, int>(intercepted, call);
}

const std::vector<Function>& functions() {
  namespace arguments = espalier::arguments;
  static const std::vector<Function> all = {
#define COLLECTIVE_FUNCTION(Name, Nonblocking, collective, List)        \
  {.name = lower(#Name),                                                \
   .contract = espalier::contract_of(espalier::Collective::collective), \
   .is_uneven = espalier::Arguments<arguments::List>::is_uneven,        \
   .is_typed = espalier::Arguments<arguments::List>::is_typed,          \
   .direct = call_directly<arguments::List, &espalier::Native::Name>,   \
   .intercepted = call_intercepted<arguments::List, &MPI_##Name>},
#define PASSED_ON_FUNCTION(...)
#include "native/collective_functions.def"
#undef COLLECTIVE_FUNCTION
  };
  return all;
}

}  // namespace

const Function& function_of(const std::string& name) {
  std::string names;
  for (const Function& one : functions()) {
    if (one.name == name) return one;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  throw std::invalid_argument("--collective " + name + ": unknown; allowed: " + names);
}

}  // namespace bench
