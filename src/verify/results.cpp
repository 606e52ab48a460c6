// SPDX-License-Identifier: Apache-2.0
#include "verify/results.hpp"

namespace espalier::proof {

namespace {

using Id = Expressions::Id;

Rank any_rank_with_output(const Case& problem) { return problem.collective == Collective::reduce ? problem.root : 0; }

// What is wrong with this expression as a result, whoever holds it.
std::string check_expression(const Case& problem, const Expressions& expressions, Id id) {
  if (problem.collective == Collective::bcast) {
    return id == Expressions::leaf(problem.root) ? "" : "is not what the root sent";
  }
  if (!expressions.is_complete(id)) {
    return "lacks the contribution of rank " + std::to_string(expressions.missing(id));
  }
  if (problem.collective == Collective::barrier) return {};
  if (expressions[id].repeats) return "holds a contribution twice";
  if (problem.needs_rank_order && !expressions.is_in_rank_order(id)) return "has its operands not in rank order";
  return {};
}

// The expression that one rank has in one block.
std::string check_block(const Network& network, const SymbolicRun& run, Rank rank, int block, Id expected) {
  for (int segment = 0; segment < run.limits().segments; ++segment) {
    const Id id = run.output(rank, block, segment);
    if (id == Expressions::none) return "was never written";
    if (!run.output_is_in_place(rank, block, segment)) return "holds another piece of the message";
    if (id == expected || network.problem().collective == Collective::barrier) continue;
    if (rank == any_rank_with_output(network.problem())) return "is combined differently in its segments";
    return "is combined differently than on rank 0";
  }
  return {};
}

}  // namespace

std::string check_results(const Network& network, const SymbolicRun& run, const Expressions& expressions) {
  const Case& problem = network.problem();
  for (Rank rank = 0; rank < network.size(); ++rank) {
    if (!problem.has_output(rank)) continue;
    for (int block = 0; block < network.blocks(); ++block) {
      const Id own = run.output(rank, block, 0);
      std::string wrong = own == Expressions::none ? "was never written" : check_expression(problem, expressions, own);
      const Id common = run.output(any_rank_with_output(problem), block, 0);
      if (wrong.empty()) wrong = check_block(network, run, rank, block, common);
      if (!wrong.empty()) {
        return "rank " + std::to_string(rank) + ", block " + std::to_string(block) + " of the output " + wrong;
      }
    }
  }
  return {};
}

std::vector<Id> result_of(const Network& network, const SymbolicRun& run) {
  std::vector<Id> blocks;
  for (int block = 0; block < network.blocks(); ++block) {
    blocks.push_back(run.output(any_rank_with_output(network.problem()), block, 0));
  }
  return blocks;
}

}  // namespace espalier::proof
