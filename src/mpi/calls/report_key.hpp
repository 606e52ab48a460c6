// SPDX-License-Identifier: Apache-2.0
// Which row of the report a call belongs to.
#pragma once

#include "mpi/calls/call.hpp"
#include "select/choice.hpp"

namespace espalier {

// Of the algorithm that was chosen; empty for the native MPI.
[[nodiscard]] std::string parameters_of(const Choice& choice);

// `parameters` must live as long as it is used.
[[nodiscard]] RowKeyView key_of(const Call& call, std::size_t bytes, const Choice& choice, std::string_view parameters);

}  // namespace espalier
