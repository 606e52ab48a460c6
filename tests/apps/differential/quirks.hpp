// SPDX-License-Identifier: Apache-2.0
// What native MPIs do wrong: the one place for it. Such cases are made on our own algorithms only, and judged by the
// contract alone. Some more show in how calls are made: below, and Open MPI takes MPI_OFFSET for unsigned, so that its
// values are never negative (operands.cpp).
#pragma once

#include "differential/case.hpp"

namespace espalier::apps {

// Why the native MPI of this process cannot make it; null if it can. Equal on all ranks.
[[nodiscard]] const char* quirk_of(const Case& one);

// MPICH 5 refuses an MPI_Exscan without a receive buffer on rank 0, which has no result.
[[nodiscard]] inline bool wants_all_buffers(const Contract& contract) {
  return contract.output_at == Holder::all_but_first;
}

// Open MPI 5 takes the displacements of an MPI_Alltoallw on one rank for elements, not bytes.
[[nodiscard]] inline bool takes_bytes_for_elements(const Function& function, int ranks) {
  return function.is_typed && ranks == 1;
}

}  // namespace espalier::apps
