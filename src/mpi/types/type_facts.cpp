// SPDX-License-Identifier: Apache-2.0
#include "mpi/types/type_facts.hpp"

namespace espalier {

namespace {

// Strides in memory of ours keep the alignment that a user's function may rely on.
constexpr std::int64_t alignment = 16;

std::int64_t rounded_down(std::int64_t value) { return value & ~(alignment - 1); }
std::int64_t rounded_up(std::int64_t value) { return rounded_down(value + alignment - 1); }

}  // namespace

ElementLayout layout_of(const TypeFacts& facts) {
  const std::int64_t bias = rounded_down(facts.true_lower_bound);
  const std::int64_t reach = facts.true_lower_bound - bias + facts.true_extent;
  const bool staged = reach > facts.extent;
  const std::int64_t stride = staged ? rounded_up(reach) : facts.extent;
  return {static_cast<std::size_t>(stride), static_cast<std::ptrdiff_t>(bias), staged};
}

}  // namespace espalier
