// SPDX-License-Identifier: Apache-2.0
#include "algorithms/unfit.hpp"

#include "algorithms/over_nodes.hpp"
#include "contract/contract.hpp"

namespace espalier {

namespace {

const char* lacking(Needs needs) {
  return needs == Needs::torus ? "it needs a communicator whose nodes are a torus (ESPALIER_TOPOLOGY)"
                               : "it needs a communicator whose nodes are joined by known links (ESPALIER_TOPOLOGY)";
}

}  // namespace

const char* unfit_for(const Algorithm& algorithm, const Problem& problem, const Shape& shape) {
  if (algorithm.collective != problem.collective) return "another collective's algorithm";
  if (contract_of(problem.collective).reduces && problem.arithmetic == Arithmetic::rank_order &&
      !algorithm.keeps_rank_order) {
    return "it does not keep the operands in rank order, and the operation does not commute";
  }
  if (problem.is_uneven && !algorithm.takes_uneven) return "its blocks have one size, and those of the call have not";
  if (const char* const reason = unfit_for_rank_count(algorithm, shape.size)) return reason;
  if (!has_what_is_needed(algorithm.needs, shape)) return lacking(algorithm.needs);
  return nullptr;
}

const char* unfit_for(const Choice& choice, const Problem& problem, const Shape& shape) {
  if (choice.leaders == 0) return unfit_for(*choice.algorithm, problem, shape);
  if (const char* const reason = unfit_for_leaders(problem, shape)) return reason;
  return unfit_for(*choice.algorithm, problem, shape_of_nodes(shape));
}

}  // namespace espalier
