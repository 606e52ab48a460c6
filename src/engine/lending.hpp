// SPDX-License-Identifier: Apache-2.0
// Which messages are only read once, by a reduction: such a message may be reduced straight from where it lies, if the
// transport can lend it (port.hpp). MPI cannot; shared memory can.
#pragma once

#include <optional>
#include <vector>

#include "schedule/schedule.hpp"

namespace espalier {

// Numbers of operations: by whose messages an operand of a reduction comes, item by item. Nothing: it lies in memory.
struct Lenders {
  std::optional<std::uint32_t> left, right;
};

// For each operation. A lender receives into a ring of scratch slots in which this reduction alone reads its messages.
[[nodiscard]] std::vector<Lenders> find_lenders(const Schedule& schedule);

}  // namespace espalier
