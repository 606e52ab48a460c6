// SPDX-License-Identifier: Apache-2.0
#include "differential/oracle.hpp"

#include <stdexcept>

#include "schedule/layout.hpp"
#include "select/plan.hpp"

namespace espalier::apps {

namespace {

using Bytes = Oracle::Bytes;

// The elements of one block.
Extent extent_of(int block, const Layout& layout) {
  const Walk walk{.first = block};
  Operation op;
  op.target = {.buffer = Buffer::output, .blocks = 1, .place = walk, .label = walk};
  return layout.extent(op, op.target, 0);
}

Bytes combined(const Bytes& left, Bytes right, std::size_t element_bytes, Oracle::Combine combine) {
  for (std::size_t i = 0; i < right.size(); i += element_bytes) combine(left.data() + i, right.data() + i);
  return right;
}

}  // namespace

Bytes Oracle::result(const Choice& choice, const Problem& problem, Rank size, const std::vector<Bytes>& inputs,
                     Combine combine) {
  const auto& [schedule, facts] = proved(choice, problem, size);
  const Layout layout(schedule, problem.count, 1, 1, binding_for(choice, problem, schedule).granule);
  const std::size_t element = problem.element_bytes;
  Bytes result(problem.bytes());
  for (int block = 0; block < schedule.blocks; ++block) {
    const Extent extent = extent_of(block, layout);
    if (extent.length == 0) continue;
    const auto contribution = [&](Rank rank) {
      const auto first = inputs[rank].begin() + static_cast<std::ptrdiff_t>(extent.offset * element);
      return Bytes(first, first + static_cast<std::ptrdiff_t>(extent.length * element));
    };
    const auto join = [&](const Bytes& left, const Bytes& right) { return combined(left, right, element, combine); };
    const Bytes values = facts.expressions->evaluate<Bytes>(facts.blocks[block], contribution, join);
    std::ranges::copy(values, result.begin() + static_cast<std::ptrdiff_t>(extent.offset * element));
  }
  return result;
}

const Oracle::Proved& Oracle::proved(const Choice& choice, const Problem& problem, Rank size) {
  const Tuning tuning = tuning_for(choice, problem);
  const auto [found, is_new] = proved_.try_emplace(Key{choice.algorithm, size, problem.root, tuning.radix});
  if (!is_new) return found->second;
  const Case proof{.collective = problem.collective,
                   .size = size,
                   .root = problem.root,
                   .needs_rank_order = problem.arithmetic == Arithmetic::rank_order};
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < size; ++rank) {
    ranks.push_back(build_schedule(*choice.algorithm, {size}, rank, problem.root, proof.in_place_at(rank), tuning));
  }
  Verdict verdict = verify(proof, ranks, 1, 1);
  if (!verdict.ok()) throw std::runtime_error(std::string(choice.algorithm->name) + ": " + verdict.error);
  found->second = {ranks[0], std::move(verdict.facts)};
  return found->second;
}

}  // namespace espalier::apps
