// SPDX-License-Identifier: Apache-2.0
// Among which choices the fastest is found by measuring.
#pragma once

#include <vector>

#include "select/choice.hpp"
#include "settings/settings.hpp"

namespace espalier {

struct Alternative {
  Choice choice;
  double log_estimate = 0;  // of its seconds; only differences count
};

// Whether other additions than those of the usual choice would show, and must not be tried.
[[nodiscard]] bool is_bound_to_order(const Problem& problem, Reproducible reproducible);

// The first is what all is measured by: the native MPI, or where the order of additions shows in the bits and must not
// change, `usual`. None that are hopeless by estimate. A function of what is equal on all ranks. Takes up to a
// millisecond for each kind of problem that comes up for the first time in a process.
[[nodiscard]] std::vector<Alternative> alternatives_for(const Problem& problem, const Shape& shape, const Choice& usual,
                                                        Reproducible reproducible);

}  // namespace espalier
