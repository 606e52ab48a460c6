// SPDX-License-Identifier: Apache-2.0
// A tuner in a context whose times are known: what its choices cost.
#pragma once

#include <vector>

#include "selection/instances.hpp"
#include "tuning/tuner.hpp"

namespace espalier::selection {

// What is paid besides the calls, in native ones.
struct Prices {
  double agreement = .02;
};

// Total times after 0, 1, 2, ... calls.
struct Trial {
  std::vector<double> spent;
  std::vector<int> incumbents;
  int agreements = 0;
};

[[nodiscard]] Trial run(tuning::Tuner& tuner, const Instance& instance, const Prices& prices);

// The same of a candidate that is fixed.
[[nodiscard]] std::vector<double> fixed(const Instance& instance, std::size_t candidate);
// Of the one that is best at that call, first calls apart: what an oracle would choose.
[[nodiscard]] std::vector<double> oracle(const Instance& instance);
[[nodiscard]] std::size_t best_at(const Instance& instance, std::size_t call);

}  // namespace espalier::selection
