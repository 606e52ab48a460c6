// SPDX-License-Identifier: Apache-2.0
// What calls like these, but of other sizes, tell of alternatives that have not run here.
#pragma once

#include <span>
#include <vector>

#include "memory/memory_text.hpp"
#include "select/alternatives.hpp"

namespace espalier {

[[nodiscard]] std::uint64_t hash_of_kin(std::span<const ContextMemory> kin);

// New estimates for those that ran there, next to the first one, which is measured by and stays as it is. An algorithm
// that is cut otherwise for another size is the same one. Whether any of them did.
bool expect_by_kin(std::span<const ContextMemory> kin, const Problem& problem, const Shape& shape,
                   std::vector<Alternative>& alternatives);

}  // namespace espalier
