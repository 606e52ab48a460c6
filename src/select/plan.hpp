// SPDX-License-Identifier: Apache-2.0
// What a Choice means for a Problem: how a schedule is built, and how it is bound to a message. Whoever builds or binds
// a schedule asks here, so that all do it alike; all results are equal on all ranks.
#pragma once

#include "algorithms/algorithm.hpp"
#include "select/choice.hpp"

namespace espalier {

// Before building. `choice` must not be native.
[[nodiscard]] Tuning tuning_for(const Choice& choice, const Problem& problem);

// After building: the arguments of a Layout.
struct Binding {
  int segments = 1;         // per block
  int window = 1;           // items under way at once, per operation
  std::size_t granule = 1;  // elements
  friend bool operator==(const Binding&, const Binding&) = default;
};
[[nodiscard]] Binding binding_for(const Choice& choice, const Problem& problem, const Schedule& schedule);

}  // namespace espalier
