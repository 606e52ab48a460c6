// SPDX-License-Identifier: Apache-2.0
#include "estimate/native.hpp"

#include <algorithm>
#include <limits>

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"
#include "estimate/estimate.hpp"

namespace espalier {

std::vector<Choice> native_choices(Collective collective) {
  std::vector<Choice> choices;
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.collective != collective || !algorithm.is_baseline) continue;
    choices.push_back({.algorithm = &algorithm, .cut = default_cut});
  }
  return choices;
}

Network as_native_uses(const Network& network) { return network.with(NicUse::one); }

double arithmetic_seconds(const Problem& problem, const Network& network) {
  if (!contract_of(problem.collective).reduces) return 0;
  return static_cast<double>(problem.bytes()) / network.arithmetic_bytes_per_second();
}

double estimated_seconds_of_native(const Choice& choice, const Problem& problem, const Shape& shape) {
  const Network network = as_native_uses(*shape.network);
  return estimated_seconds(choice, problem, {shape.size, &network});
}

std::optional<double> estimated_native_seconds(const Problem& problem, const Shape& shape) {
  const std::vector<Choice> choices = native_choices(problem.collective);
  if (!can_be_estimated(shape) || choices.empty()) return std::nullopt;
  const Network native_network = as_native_uses(*shape.network);
  double best = std::numeric_limits<double>::infinity();
  for (const Choice& choice : choices) {
    if (!takes_rank_count(*choice.algorithm, shape.size)) continue;
    best = std::min(best, estimated_seconds(choice, problem, {shape.size, &native_network}));
  }
  return best;
}

}  // namespace espalier
