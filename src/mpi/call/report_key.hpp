// SPDX-License-Identifier: Apache-2.0
// Which row of the report a call belongs to.
#pragma once

#include "mpi/call/call.hpp"
#include "select/choice_text.hpp"

namespace espalier {

// `parameters` must live as long as it is used.
[[nodiscard]] RowKeyView key_of(const Call& call, std::size_t bytes, const Choice& choice, std::string_view parameters);

}  // namespace espalier
