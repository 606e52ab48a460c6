// SPDX-License-Identifier: Apache-2.0
// What can be chosen where calls are so short that to estimate each algorithm would take as long as thousands of them.
#pragma once

#include "select/alternatives.hpp"

namespace espalier {

// Of what alternatives_for() has, the first, the baseline and those that take few steps. Nothing is estimated: each is
// as good as the first, as far as is known. Takes some microseconds.
[[nodiscard]] std::vector<Alternative> quick_alternatives(const Problem& problem, const Shape& shape,
                                                          const Choice& baseline, Reproducible reproducible);

}  // namespace espalier
