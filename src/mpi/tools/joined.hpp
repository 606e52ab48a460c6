// SPDX-License-Identifier: Apache-2.0
// Whether a call of a function for tools is to see our variables, and their numbers.
#pragma once

#include "mpi/tools/own_variables.hpp"
#include "mpi/tools/shown_numbers.hpp"
#include "mpi/tools/tool_functions.hpp"

namespace espalier {

// `caller`: where the call returns to. The MPI's own calls see the MPI's own variables.
[[nodiscard]] bool are_joined(const void* caller);

struct AllShownNumbers {
  ShownNumbers performance, control, category;
};
[[nodiscard]] AllShownNumbers& shown_numbers();

// The number of the one of that name among ours; less than 0: there is none.
template <class Variables>
[[nodiscard]] int number_of_own(const Variables& variables, std::string_view name) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace espalier
