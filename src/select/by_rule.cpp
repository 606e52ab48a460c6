// SPDX-License-Identifier: Apache-2.0
#include "select/by_rule.hpp"

#include "algorithms/unfit.hpp"

namespace espalier {

namespace {

bool fits(const Algorithm& algorithm, const Problem& problem, const Shape& shape) {
  return algorithm.rule && shape.size >= algorithm.rule->min_ranks && problem.bytes() >= algorithm.rule->min_bytes &&
         unfit_for(algorithm, problem, shape) == nullptr;
}

}  // namespace

Choice choice_by_rule(const Problem& problem, const Shape& shape) {
  const Algorithm* found = nullptr;
  for (const Algorithm& algorithm : registry()) {
    if (!fits(algorithm, problem, shape)) continue;
    if (found == nullptr || algorithm.rule->min_bytes > found->rule->min_bytes) found = &algorithm;
  }
  if (found == nullptr) return {.reason = "fixed table: no clear gain expected"};
  return {.algorithm = found, .cut = default_cut, .reason = found->rule->reason};
}

}  // namespace espalier
