// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/types.hpp"

namespace espalier {

// A rank in the ring of all ranks.
struct Ring {
  Rank me, size;

  [[nodiscard]] Rank left() const { return wrap(std::int64_t{me} - 1, size); }
  [[nodiscard]] Rank right() const { return wrap(std::int64_t{me} + 1, size); }
};

}  // namespace espalier
