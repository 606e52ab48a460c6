// SPDX-License-Identifier: Apache-2.0
#include "verify/trial.hpp"

#include <algorithm>
#include <deque>

#include "core/hash.hpp"
#include "engine/in_process.hpp"
#include "verify/model/samples.hpp"

namespace espalier {

namespace {

using Element = std::uint64_t;
using Vector = std::vector<Element>;

Element contribution(Rank rank, int label, std::size_t index) {
  return mix(mix((static_cast<Element>(rank) + 1) << 32 | static_cast<Element>(label)) + index);
}

// Neither associative nor commutative, so that every expression has a value of its own.
Element join(Element left, Element right) { return mix(left * 3 + mix(right)); }

void reduce(void* target, const void* left, const void* right, std::size_t elements, const void*) {
  const auto* a = static_cast<const Element*>(left);
  const auto* b = static_cast<const Element*>(right);
  std::transform(a, a + elements, b, static_cast<Element*>(target), join);
}

Partition partition_of(const Case& problem, Rank rank, int blocks, const Trial& trial) {
  if (trial.sample.is_uneven) {
    return proof::uneven_partition(problem, rank, blocks, trial.elements,
                                   static_cast<std::size_t>(trial.sample.segments));
  }
  const bool exact = problem.contract().division != Division::by_algorithm;
  const auto count = static_cast<std::size_t>(blocks);
  return Partition({.blocks = blocks,
                    .elements = exact ? (trial.elements + count - 1) / count * count : trial.elements,
                    .segments = trial.sample.segments,
                    .granule = trial.granule,
                    .exact = exact});
}

// The memory of one rank.
class RankMemory {
 public:
  RankMemory(const Case& problem, Rank rank, const Schedule& schedule, const Trial& trial)
      : problem_(problem),
        rank_(rank),
        schedule_(schedule),
        in_place_(problem.in_place_at(rank)),
        partition_(partition_of(problem, rank, schedule.blocks, trial)),
        input_held_(problem.input(rank, schedule.blocks)),
        output_held_(problem.output(rank, schedule.blocks)) {
    output_.assign(end_of(Buffer::output, std::max(output_held_.count, in_place_ ? input_held_.count : 0)),
                   ~Element{0});
    if (!in_place_) input_.assign(end_of(Buffer::input, input_held_.count), ~Element{0});
    for (int place = 0; place < input_held_.count; ++place) fill(input_held_.label_at(place), place);
    given_ = input_;
  }

  [[nodiscard]] Participant participant() {
    return {schedule_,
            {reinterpret_cast<const std::byte*>(input_.data()), reinterpret_cast<std::byte*>(output_.data())},
            partition_};
  }
  [[nodiscard]] bool input_is_intact() const { return input_ == given_; }

  // Empty text: the output is what the proof says.
  [[nodiscard]] std::string compare(const std::vector<Expressions::Id>& expected,
                                    const Expressions& expressions) const {
    for (int place = 0; place < output_held_.count; ++place) {
      const int label = output_held_.label_at(place);
      const std::size_t begin = partition_.offset(Buffer::output, place), size = partition_.size(label);
      const Vector values = evaluate(expected[static_cast<std::size_t>(place)], expressions, label, size);
      const auto lies = std::span(output_).subspan(begin, size);
      const auto [wrong, right] = std::ranges::mismatch(lies, values);
      if (wrong == lies.end()) continue;
      return "another value than the proof's expression in element " + std::to_string(wrong - lies.begin()) +
             " of block " + std::to_string(label);
    }
    return {};
  }

 private:
  static Vector evaluate(Expressions::Id id, const Expressions& expressions, int label, std::size_t size) {
    const auto leaf = [&](Rank rank) {
      Vector values(size);
      for (std::size_t k = 0; k < size; ++k) values[k] = contribution(rank, label, k);
      return values;
    };
    const auto join_all = [](const Vector& left, const Vector& right) {
      Vector values(left.size());
      std::ranges::transform(left, right, values.begin(), join);
      return values;
    };
    return expressions.evaluate<Vector>(id, leaf, join_all);
  }

  [[nodiscard]] std::size_t end_of(Buffer buffer, int places) const {
    if (partition_.is_even()) return partition_.elements();
    const Held& held = buffer == Buffer::input ? input_held_ : output_held_;
    std::size_t end = 0;
    for (int place = 0; place < std::min(places, held.count); ++place) {
      end = std::max(end, partition_.offset(buffer, place) + partition_.size(held.label_at(place)));
    }
    return end;
  }

  void fill(int label, int place) {
    Vector& memory = in_place_ ? output_ : input_;
    const int there = in_place_ ? problem_.place_in_output(rank_, label, schedule_.blocks) : place;
    const std::size_t begin = partition_.offset(in_place_ ? Buffer::output : Buffer::input, there);
    for (std::size_t k = 0; k < partition_.size(label); ++k) memory[begin + k] = contribution(rank_, label, k);
  }

  const Case& problem_;
  Rank rank_;
  const Schedule& schedule_;
  bool in_place_;
  Partition partition_;
  Held input_held_, output_held_;
  Vector input_, output_, given_;
};

std::string text_of(const Trial& trial) {
  return std::to_string(trial.elements) + " elements, " + std::to_string(trial.sample.segments) + " segments, window " +
         std::to_string(trial.sample.window) + ", seed " + std::to_string(trial.seed) + ": ";
}

}  // namespace

std::string run_trial(const Case& problem, std::span<const Schedule> ranks, const Findings& findings,
                      const Trial& trial) {
  std::deque<RankMemory> memory;
  std::vector<Participant> participants;
  for (Rank rank = 0; rank < problem.size; ++rank) {
    participants.push_back(memory.emplace_back(problem, rank, ranks[rank], trial).participant());
  }
  Elements how{.stride_bytes = sizeof(Element)};
  how.reduction.function = reduce;
  const std::string error = run_in_one_thread(participants, how, trial.sample.window, trial.seed);
  if (!error.empty()) return text_of(trial) + error;

  for (Rank rank = 0; rank < problem.size; ++rank) {
    const std::string who = text_of(trial) + "rank " + std::to_string(rank);
    if (!memory[rank].input_is_intact()) return who + " has changed its input";
    if (findings.outputs.empty()) continue;
    const std::string wrong = memory[rank].compare(findings.outputs[rank], *findings.expressions);
    if (!wrong.empty()) return who + " has " + wrong;
  }
  return {};
}

}  // namespace espalier
