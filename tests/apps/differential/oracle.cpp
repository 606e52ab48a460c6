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

Bytes Oracle::result(const Choice& choice, const Problem& problem, Rank size, Rank me, const std::vector<Bytes>& inputs,
                     Combine combine) {
  const auto& [schedule, findings] = proved(choice, problem, size);
  const Contract& contract = contract_of(problem.collective);
  const Partition partition = partition_of(problem, schedule, problem.count, 1);
  const std::size_t element = problem.element_bytes;
  const Held given = held_by(contract, contract.input, me, size, schedule.blocks);
  const Held wanted = held_by(contract, contract.output, me, size, schedule.blocks);
  const auto join = [&](const Bytes& left, const Bytes& right) { return combined(left, right, element, combine); };
  Bytes result;
  for (int place = 0; place < wanted.count; ++place) {
    const int label = wanted.label_at(place);
    if (partition.size(label) == 0) continue;
    const std::size_t first = partition.offset(Buffer::input, given.place_of(label)) * element;
    const auto contribution = [&](Rank rank) {
      const auto begin = inputs[rank].begin() + static_cast<std::ptrdiff_t>(first);
      return Bytes(begin, begin + static_cast<std::ptrdiff_t>(partition.size(label) * element));
    };
    const Bytes values = findings.expressions->evaluate<Bytes>(findings.outputs[me][place], contribution, join);
    result.insert(result.end(), values.begin(), values.end());
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
