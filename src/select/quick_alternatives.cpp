// SPDX-License-Identifier: Apache-2.0
#include "select/quick_alternatives.hpp"

#include <algorithm>

#include "algorithms/algorithm.hpp"
#include "algorithms/unfit.hpp"
#include "tuning/evidence/assumptions.hpp"

namespace espalier {

std::vector<Alternative> quick_alternatives(const Problem& problem, const Shape& shape, const Choice& baseline,
                                            Reproducible reproducible) {
  const tuning::Estimate not_known{.log_seconds = 0, .sd = tuning::Assumptions().blind_estimate_sd};
  const bool is_bound = is_bound_to_order(problem, reproducible);
  std::vector<Alternative> found = {{first_alternative(shape, baseline, is_bound), not_known}};
  const auto add = [&](const Choice& choice) {
    if (std::ranges::find(found, choice, &Alternative::choice) == found.end()) found.push_back({choice, not_known});
  };
  if (is_bound && baseline.native()) return found;
  add(baseline);
  for (const Algorithm& algorithm : registry()) {
    if (!algorithm.takes_few_steps || unfit_for(algorithm, problem, shape) != nullptr) continue;
    const Choice choice{.algorithm = &algorithm,
                        .cut = {.segment_bytes = 0, .window = default_cut.window},
                        .transport = shape.default_transport()};
    if (!is_bound || adds_alike(choice, baseline)) add(choice);
  }
  return found;
}

}  // namespace espalier
