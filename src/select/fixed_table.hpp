// SPDX-License-Identifier: Apache-2.0
// The fixed table: what is chosen as long as nothing has been measured.
//
// It is cautious: native unless there is a clear reason. Since it depends on ranks and bytes alone, the order of
// floating-point reductions is the same in every run.
#pragma once

#include <span>
#include <string_view>

#include "select/choice.hpp"

namespace espalier {

struct FixedRule {
  Collective collective;
  Rank min_ranks;
  std::size_t min_bytes;
  Arithmetic freest;  // operations that ask for more order than this are not meant
  std::string_view algorithm;
  Cut cut;
  const char* reason;
};

// The first rule that fits counts; without one, the native MPI.
[[nodiscard]] std::span<const FixedRule> fixed_table();

// Of a forced algorithm for which nothing else was said. Where a message is not larger, it is not cut at all.
inline constexpr Cut usual_cut = {.segment_bytes = std::size_t{64} << 10, .window = 4};
inline constexpr int usual_radix = 2;

}  // namespace espalier
