// SPDX-License-Identifier: Apache-2.0
// The words of a collective among some ranks, said again as words of a larger one.
#pragma once

#include "schedule/sub_collective.hpp"

namespace espalier {

// How its words are said there.
struct SplicedWords {
  Channel first_channel = 0;  // its channels are counted from this one
  Path path = 0;              // of what does not say by which it goes
  int first_step_group = 0;   // its groups come after this one
  bool whole_blocks = false;  // each of its blocks goes in one message
};

// `given`: for each of its inputs(), what its rank puts in. Returns what each of its outputs() is.
[[nodiscard]] std::vector<Bundle> splice(PlacedCollective& placed, const std::vector<Bundle>& given,
                                         const SplicedWords& how, Recording& into);

}  // namespace espalier
