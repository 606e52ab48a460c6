// SPDX-License-Identifier: Apache-2.0
// Alternatives whose ranks are arranged by when they arrive: each stands next to the one that is the same but for that.
#pragma once

#include <functional>
#include <vector>

#include "policy/policy.hpp"
#include "select/alternatives.hpp"

namespace espalier {

// A few of the best of which `arranger` thinks that they gain something.
void add_by_arrival(Arranger& arranger, std::vector<Alternative>& alternatives);

// New estimates, in seconds, for all with trees but those whose time is known: before it was known when the ranks
// arrive, nobody could say what it is to wait for them.
void expect_by_arrival(Arranger& arranger, std::vector<Alternative>& alternatives,
                       const std::function<bool(const Choice&)>& is_known);

}  // namespace espalier
