// SPDX-License-Identifier: Apache-2.0
// Schedules as the registry builds them, for tests.
#pragma once

#include "algorithms/algorithm.hpp"

namespace espalier {

struct Built {
  Rank root = 0;
  bool in_place = false;
  int pieces = 1;
  int radix = 2;
  int leaders = 0;
  const Arrangement* arrangement = nullptr;
};

[[nodiscard]] inline Schedule built(const Algorithm& algorithm, const Shape& shape, Rank me, const Built& how = {}) {
  return build_schedule(algorithm, {.contract = contract_of(algorithm.collective),
                                    .shape = shape,
                                    .root = how.root,
                                    .pieces = how.pieces,
                                    .radix = how.radix,

                                    .leaders = how.leaders,
                                    .arrangement = how.arrangement,
                                    .me = me,
                                    .in_place = how.in_place});
}

[[nodiscard]] inline Schedule built(Collective collective, std::string_view name, const Shape& shape, Rank me,
                                    const Built& how = {}) {
  return built(*find_algorithm(collective, name), shape, me, how);
}

}  // namespace espalier
