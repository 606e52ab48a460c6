// SPDX-License-Identifier: Apache-2.0
#include "differential/oracle.hpp"

#include <stdexcept>

#include "algorithms/plan.hpp"

namespace espalier::apps {

namespace {

using Bytes = Oracle::Bytes;

Bytes combined(const Bytes& left, Bytes right, std::size_t element_bytes, Oracle::Combine combine) {
  for (std::size_t i = 0; i < right.size(); i += element_bytes) combine(left.data() + i, right.data() + i);
  return right;
}

// Even blocks of an algorithm lie as it cuts them; those of the caller one after the other.
class Cuts {
 public:
  Cuts(const Contract& contract, const Problem& problem, const Schedule& schedule, const Oracle::Sizes& sizes)
      : partition_(partition_of(problem, schedule, problem.count, 1)), sizes_(sizes) {
    by_algorithm_ = contract.division == Division::by_algorithm;
  }

  [[nodiscard]] std::size_t size(int label) const {
    return by_algorithm_ ? partition_.size(label) : static_cast<std::size_t>(sizes_(label));
  }
  [[nodiscard]] std::size_t offset(const Held& held, int place) const {
    if (by_algorithm_) return partition_.offset(espalier::Buffer::input, place);
    std::size_t before = 0;
    for (int k = 0; k < place; ++k) before += size(held.label_at(k));
    return before;
  }

 private:
  Partition partition_;
  const Oracle::Sizes& sizes_;
  bool by_algorithm_ = false;
};

}  // namespace

Bytes Oracle::result(const Reduced& reduced, Rank me, const std::vector<Bytes>& inputs, Combine combine) {
  const Problem& problem = reduced.problem;
  const auto& [schedule, findings] = proved(reduced.choice, problem, reduced.size);
  const Contract& contract = contract_of(problem.collective);
  const Cuts cuts(contract, problem, schedule, reduced.sizes);
  const std::size_t element = problem.element_bytes;
  const Held given = held_by(contract, contract.input, me, reduced.size, schedule.blocks);
  const Held wanted = held_by(contract, contract.output, me, reduced.size, schedule.blocks);
  const auto join = [&](const Bytes& left, const Bytes& right) { return combined(left, right, element, combine); };
  Bytes result;
  for (int place = 0; place < wanted.count; ++place) {
    const int label = wanted.label_at(place);
    if (cuts.size(label) == 0) continue;
    const std::size_t first = cuts.offset(given, given.place_of(label)) * element;
    const auto contribution = [&](Rank rank) {
      const auto begin = inputs[rank].begin() + static_cast<std::ptrdiff_t>(first);
      return Bytes(begin, begin + static_cast<std::ptrdiff_t>(cuts.size(label) * element));
    };
    const Bytes values = findings.expressions->evaluate<Bytes>(findings.outputs[me][place], contribution, join);
    result.insert(result.end(), values.begin(), values.end());
  }
  return result;
}

const Oracle::Proved& Oracle::proved(const Choice& choice, const Problem& problem, Rank size) {
  const int pieces = blocks_are_segments(*choice.algorithm) ? request_for(choice, problem, {size}, 0).pieces : 1;
  const Key key{choice.algorithm, size, problem.root, choice.radix, pieces};
  const auto [found, is_new] = proved_.try_emplace(key);
  if (!is_new) return found->second;
  const espalier::Case proof{.collective = problem.collective,
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
