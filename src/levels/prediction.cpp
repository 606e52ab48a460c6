// SPDX-License-Identifier: Apache-2.0
#include "levels/prediction.hpp"

#include <algorithm>
#include <optional>

#include "algorithms/plan.hpp"
#include "algorithms/unfit.hpp"

namespace espalier {

namespace {

// Radices of which some are as wide as a CCX, a die or a Grace.
constexpr int tried_on_nodes[] = {2, 4, 8, 16, 72};
constexpr std::size_t segments_on_nodes[] = {0, 4 << 10, 16 << 10, 64 << 10};

// More takes too long to be simulated for an answer at once: it is left out where something else is known.
constexpr std::size_t max_messages = 3'000'000;

std::vector<Choice> choices_of(const Algorithm& algorithm, const Problem& problem, Rank ranks) {
  std::vector<Choice> choices;
  for (const std::size_t segment : segments_on_nodes) {
    if (segment > 0 && (algorithm.is_direct || segment >= problem.bytes())) continue;
    for (const int radix : tried_on_nodes) {
      const bool is_default = radix == default_radix;
      if (!is_default && (!algorithm.takes_radix || radix > ranks)) continue;
      choices.push_back({.algorithm = &algorithm, .cut = {.segment_bytes = segment}, .radix = radix});
    }
  }
  return choices;
}

std::size_t messages_of(const std::vector<Schedule>& ranks, const Partition& partition) {
  std::size_t count = 0;
  for (const Schedule& schedule : ranks) {
    const Items items(schedule, partition);
    for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
      if (schedule.operations[k].kind == Operation::Kind::send) count += static_cast<std::size_t>(items.count(k));
    }
  }
  return count;
}

std::optional<NodeCost> cost_of(const Choice& choice, const Problem& problem, const NodeJob& job) {
  const Shape shape{.size = static_cast<Rank>(job.core_of.size())};
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(build_schedule(*choice.algorithm, request_for(choice, problem, shape, rank)));
  }
  const SimulatedMessage message{.partition = partition_for(choice, problem, ranks.front()),
                                 .element_bytes = problem.element_bytes,
                                 .window = choice.cut.window};
  if (messages_of(ranks, message.partition) > max_messages) return std::nullopt;
  return node_cost(ranks, message, job);
}

}  // namespace

std::vector<Prediction> predictions(const Problem& problem, const NodeJob& job) {
  const Shape shape{.size = static_cast<Rank>(job.core_of.size())};
  std::vector<Prediction> found;
  for (const Algorithm& algorithm : registry()) {
    if (unfit_for(algorithm, problem, shape) != nullptr || algorithm.differs_by_network) continue;
    std::optional<Prediction> best;
    for (const Choice& choice : choices_of(algorithm, problem, shape.size)) {
      const auto cost = cost_of(choice, problem, job);
      if (cost && (!best || cost->seconds < best->cost.seconds)) best = {choice, *cost};
    }
    if (best) found.push_back(*best);
  }
  std::ranges::stable_sort(found, {}, [](const Prediction& one) { return one.cost.seconds; });
  return found;
}

}  // namespace espalier
