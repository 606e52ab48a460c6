// SPDX-License-Identifier: Apache-2.0
#include "select/by_user.hpp"

#include "algorithms/algorithm.hpp"
#include "select/choice_text.hpp"
#include "select/in_turn.hpp"
#include "select/unfit.hpp"

namespace espalier {

Decision decide_by_user(const ForcedChoice& given, const Problem& problem, const Shape& shape) {
  if (given.native()) return Choice{.reason = "forced"};
  if (given.in_turn()) return {std::make_unique<InTurn>(problem, shape)};
  const Algorithm& algorithm = *find_algorithm(given.collective, given.algorithm);
  if (const char* reason = unfit_for(algorithm, problem, shape)) return Choice{.reason = reason};
  Choice choice = choice_given(given, algorithm, problem, shape);
  choice.reason = "forced";
  return choice;
}

}  // namespace espalier
