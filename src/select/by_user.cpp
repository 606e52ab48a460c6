// SPDX-License-Identifier: Apache-2.0
#include "select/by_user.hpp"

#include "select/in_turn.hpp"
#include "select/network_choice.hpp"
#include "select/unfit.hpp"

namespace espalier {

namespace {

// What the user did not give is as the network wants it.
Choice forced_choice(const ForcedChoice& given, const Algorithm& algorithm, const Problem& problem,
                     const Shape& shape) {
  Choice choice{.algorithm = &algorithm, .cut = cut_for(algorithm, problem, shape, given.segment_bytes)};
  if (given.window) choice.cut.window = *given.window;
  if (given.radix) choice.radix = *given.radix;
  choice.reason = "forced";
  return choice;
}

}  // namespace

Decision decide_by_user(const ForcedChoice& given, const Problem& problem, const Shape& shape) {
  if (given.native()) return Choice{.reason = "forced"};
  if (given.in_turn()) return {std::make_unique<InTurn>(problem, shape)};
  const Algorithm& algorithm = *find_algorithm(given.collective, given.algorithm);
  if (const char* reason = unfit_for(algorithm, problem, shape)) return Choice{.reason = reason};
  return forced_choice(given, algorithm, problem, shape);
}

}  // namespace espalier
