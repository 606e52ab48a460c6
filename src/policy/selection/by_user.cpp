// SPDX-License-Identifier: Apache-2.0
#include "policy/selection/by_user.hpp"

#include <stdexcept>

#include "algorithms/algorithm.hpp"
#include "algorithms/unfit.hpp"
#include "policy/arranged.hpp"
#include "policy/by_swaps.hpp"
#include "policy/selection/in_turn.hpp"
#include "select/alternatives.hpp"
#include "select/choice_text.hpp"
#include "settings/number.hpp"
#include "settings/words.hpp"

namespace espalier {

namespace {

// The ranks by place, "0/3/2/1". Nothing: they are not those of such a communicator, or the root is not in its own
// place.
std::optional<Arrangement> arrangement_in(const std::string& text, Rank size, Rank root) try {
  std::vector<Rank> ranks;
  for (const std::string_view rank : split(text, '/')) ranks.push_back(static_cast<Rank>(*parse_number(rank)));
  Arrangement arrangement(std::move(ranks));
  if (arrangement.size() != size || arrangement.rank_at(root) != root) return std::nullopt;
  return arrangement;
} catch (const std::invalid_argument&) {
  return std::nullopt;
}

Selection decide_arranged(const std::string& how, Choice choice, const Problem& problem, const Shape& shape,
                          Reproducible reproducible) {
  if (const auto interval = swap_interval(how)) {
    const auto settings = *interval == 0 ? arrival::SwapSettings{} : arrival::growing_from(*interval);
    return {std::make_unique<BySwaps>(problem, shape, choice, settings)};
  }
  if (how == "order") {
    choice.by_arrival = !is_bound_to_order(problem, reproducible);
    if (!choice.by_arrival) {
      choice.reason = "forced, and not arranged by arrival: the order of additions shows (ESPALIER_REPRODUCIBLE)";
      return choice;
    }
    return {std::make_unique<Arranged>(problem, shape, choice, true)};
  }
  auto arrangement = arrangement_in(how, shape.size, problem.root);
  if (!arrangement)
    return Choice{.reason = "arrange: not the ranks of this communicator, or not the root in its place"};
  choice.arrangement = std::make_shared<const Arrangement>(*std::move(arrangement));
  return choice;
}

}  // namespace

Selection decide_by_user(const ForcedChoice& given, const Problem& problem, const Shape& shape,
                         Reproducible reproducible) {
  if (given.native()) return Choice{.reason = "forced"};
  if (given.in_turn()) return {std::make_unique<InTurnPolicy>(problem, shape)};
  const Algorithm& algorithm = *find_algorithm(given.collective, given.algorithm);
  Choice choice = choice_given(given, algorithm, problem, shape);
  if (const char* reason = unfit_for(choice, problem, shape)) return Choice{.reason = reason};
  choice.reason = "forced";
  return given.arrange.empty() ? Selection(choice)
                               : decide_arranged(given.arrange, choice, problem, shape, reproducible);
}

}  // namespace espalier
