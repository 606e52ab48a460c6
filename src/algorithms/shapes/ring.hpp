// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/types.hpp"

namespace espalier {

// A rank's place in the ring of all ranks.
struct Ring {
  Rank place, size;

  [[nodiscard]] Rank left() const { return wrap(std::int64_t{place} - 1, size); }
  [[nodiscard]] Rank right() const { return wrap(std::int64_t{place} + 1, size); }
};

}  // namespace espalier
