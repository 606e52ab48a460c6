// SPDX-License-Identifier: Apache-2.0
#include "mpi/tools/joined.hpp"

#include <exception>

namespace espalier {

bool are_joined(const void* caller) try {
  return context->job.host.is_internal(caller) == 0 && native_tools().are_complete && own_variables().are_any();
} catch (const std::exception&) {
  return false;
}

AllShownNumbers& shown_numbers() {
  const OwnVariables& own = own_variables();
  static AllShownNumbers all{.performance = ShownNumbers(static_cast<int>(own.performance.size())),
                             .control = ShownNumbers(static_cast<int>(own.control.size())),
                             .category = ShownNumbers(1)};
  return all;
}

}  // namespace espalier
