// SPDX-License-Identifier: Apache-2.0
#include "verify/trial.hpp"

#include <algorithm>

#include "engine/in_process.hpp"
#include "schedule/layout.hpp"
#include "verify/mix.hpp"

namespace espalier {

namespace {

using Element = std::uint64_t;
using Vector = std::vector<Element>;

Element contribution(Rank rank, std::size_t index) {
  return proof::mix((static_cast<Element>(rank) + 1) << 40 | (index + 1));
}

// Neither associative nor commutative, so that every expression has a value of its own.
Element join(Element left, Element right) { return proof::mix(left * 3 + proof::mix(right)); }

void reduce(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  const auto* a = static_cast<const Element*>(left);
  const auto* b = static_cast<const Element*>(right);
  std::transform(a, a + elements, b, static_cast<Element*>(target), join);
}

Extent block_extent(const Schedule& schedule, const Trial& trial, int block) {
  Operation op;
  op.target = {Buffer::output, -1, 1, {block}, {block}};
  return Layout(schedule, trial.elements, 1, 1, trial.granule).extent(op, op.target, 0);
}

// What each output must hold.
Vector evaluate(const Schedule& schedule, const Facts& facts, const Trial& trial) {
  Vector result(trial.elements);
  for (std::size_t block = 0; block < facts.blocks.size(); ++block) {
    const Extent extent = block_extent(schedule, trial, static_cast<int>(block));
    const auto leaf = [&](Rank rank) {
      Vector values(extent.length);
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = contribution(rank, extent.offset + k);
      return values;
    };
    const auto join_all = [](const Vector& left, const Vector& right) {
      Vector values(left.size());
      std::ranges::transform(left, right, values.begin(), join);
      return values;
    };
    const Vector values = facts.expressions->evaluate<Vector>(facts.blocks[block], leaf, join_all);
    std::ranges::copy(values, result.begin() + static_cast<std::ptrdiff_t>(extent.offset));
  }
  return result;
}

class RankBuffers {
 public:
  RankBuffers(const Case& problem, Rank rank, std::size_t elements)
      : in_place_(problem.in_place_at(rank)),
        own_(elements),
        input_(in_place_ ? 0 : elements),
        output_(problem.has_output(rank) ? elements : 0, ~Element{0}) {
    for (std::size_t k = 0; k < elements; ++k) own_[k] = contribution(rank, k);
    if (problem.contributes(rank)) (in_place_ ? output_ : input_) = own_;
  }

  [[nodiscard]] Buffers buffers() {
    return {reinterpret_cast<const std::byte*>(input_.data()), reinterpret_cast<std::byte*>(output_.data())};
  }
  [[nodiscard]] bool input_is_intact() const { return in_place_ || input_ == own_; }
  [[nodiscard]] const Vector& output() const { return output_; }

 private:
  bool in_place_;
  Vector own_, input_, output_;
};

std::string in_words(const Trial& trial) {
  return std::to_string(trial.elements) + " elements, " + std::to_string(trial.cut.segments) + " segments, window " +
         std::to_string(trial.cut.window) + ", seed " + std::to_string(trial.seed) + ": ";
}

}  // namespace

std::string run_trial(const Case& problem, std::span<const Schedule> ranks, const Facts& facts, const Trial& trial) {
  std::vector<RankBuffers> memory;
  std::vector<Buffers> buffers;
  for (Rank rank = 0; rank < problem.size; ++rank) memory.emplace_back(problem, rank, trial.elements);
  for (RankBuffers& one : memory) buffers.push_back(one.buffers());

  CallShape call;
  call.elements = trial.elements;
  call.how.stride_bytes = sizeof(Element);
  call.how.reduction.function = reduce;
  call.segments = trial.cut.segments;
  call.window = trial.cut.window;
  call.granule = trial.granule;
  const std::string error = run_in_one_thread(ranks, buffers, call, trial.seed);
  if (!error.empty()) return in_words(trial) + error;

  const Vector expected = facts.blocks.empty() ? Vector{} : evaluate(ranks[0], facts, trial);
  for (Rank rank = 0; rank < problem.size; ++rank) {
    const std::string who = in_words(trial) + "rank " + std::to_string(rank);
    if (!memory[rank].input_is_intact()) return who + " has changed its input";
    if (!problem.has_output(rank) || facts.blocks.empty()) continue;
    const auto [wrong, right] = std::ranges::mismatch(memory[rank].output(), expected);
    if (wrong == memory[rank].output().end()) continue;
    return who + " has another value than the proof's expression in element " +
           std::to_string(right - expected.begin());
  }
  return {};
}

}  // namespace espalier
