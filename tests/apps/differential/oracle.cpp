// SPDX-License-Identifier: Apache-2.0
#include "differential/oracle.hpp"

#include <stdexcept>

#include "select/plan.hpp"

namespace espalier::apps {

namespace {

using Bytes = Oracle::Bytes;

Bytes combined(const Bytes& left, Bytes right, std::size_t element_bytes, Oracle::Combine combine) {
  for (std::size_t i = 0; i < right.size(); i += element_bytes) combine(left.data() + i, right.data() + i);
  return right;
}

}  // namespace

Bytes Oracle::result(const Choice& choice, const Problem& problem, Rank size, const std::vector<Bytes>& inputs,
                     Combine combine) {
  const auto& [schedule, findings] = proved(choice, problem, size);
  const Partition partition = partition_of(problem, schedule, problem.count, 1);
  const std::size_t element = problem.element_bytes;
  Bytes result(problem.bytes());
  for (int block = 0; block < schedule.blocks; ++block) {
    const Extent extent{partition.offset(Buffer::output, block), partition.size(block)};
    if (extent.length == 0) continue;
    const auto contribution = [&](Rank rank) {
      const auto first = inputs[rank].begin() + static_cast<std::ptrdiff_t>(extent.offset * element);
      return Bytes(first, first + static_cast<std::ptrdiff_t>(extent.length * element));
    };
    const auto join = [&](const Bytes& left, const Bytes& right) { return combined(left, right, element, combine); };
    const Bytes values =
        findings.expressions->evaluate<Bytes>(findings.outputs[problem.root][block], contribution, join);
    std::ranges::copy(values, result.begin() + static_cast<std::ptrdiff_t>(extent.offset * element));
  }
  return result;
}

const Oracle::Proved& Oracle::proved(const Choice& choice, const Problem& problem, Rank size) {
  const auto [found, is_new] = proved_.try_emplace(Key{choice.algorithm, size, problem.root, choice.radix});
  if (!is_new) return found->second;
  const Case proof{.collective = problem.collective,
                   .size = size,
                   .root = problem.root,
                   .needs_rank_order = problem.arithmetic == Arithmetic::rank_order};
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < size; ++rank) {
    Request request = request_for(choice, problem, {size}, rank);
    request.in_place = proof.in_place_at(rank);
    ranks.push_back(build_schedule(*choice.algorithm, request));
  }
  Verdict verdict = verify(proof, ranks, {1, 1});
  if (!verdict.ok()) throw std::runtime_error(std::string(choice.algorithm->name) + ": " + verdict.error);
  found->second = {ranks[0], std::move(verdict.findings)};
  return found->second;
}

}  // namespace espalier::apps
