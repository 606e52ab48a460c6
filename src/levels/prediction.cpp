// SPDX-License-Identifier: Apache-2.0
#include "levels/prediction.hpp"

#include <algorithm>
#include <optional>

#include "algorithms/plan.hpp"
#include "algorithms/unfit.hpp"
#include "schedule/layout.hpp"

namespace espalier {

namespace {

// Radices of which some are as wide as a CCX, a die or a Grace.
constexpr int tried_on_nodes[] = {2, 4, 8, 9, 16, 72};

// More takes too long to be simulated for an answer: such a choice is left out.
constexpr double max_frames = 2'000'000;

std::vector<Choice> choices_of(const Algorithm& algorithm, const Problem& problem, Rank ranks,
                               std::span<const std::size_t> segments) {
  std::vector<Choice> choices;
  for (const std::size_t segment : segments) {
    if (segments.size() > 1 && segment > 0 && (algorithm.is_direct || segment >= problem.bytes())) continue;
    for (const int radix : tried_on_nodes) {
      const bool is_default = radix == default_radix;
      if (!is_default && (!algorithm.takes_radix || radix > ranks)) continue;
      choices.push_back({.algorithm = &algorithm, .cut = {.segment_bytes = segment}, .radix = radix});
    }
  }
  return choices;
}

// About how many all ranks send: messages, and pieces of them, which are alike.
double frames_of(const std::vector<Schedule>& ranks, const SimulatedMessage& message, Handover handover) {
  const HandoverSizes sizes = handover_sizes(handover, static_cast<int>(ranks.size()));
  double count = 0;
  for (const Schedule& schedule : ranks) {
    const Layout layout(schedule, message.partition, message.window);
    for (std::uint32_t k = 0; k < schedule.operations.size(); ++k) {
      if (schedule.operations[k].kind != Operation::Kind::send || layout.items().count(k) == 0) continue;
      const std::size_t bytes = layout.extent(k, schedule.operations[k].source, 0).length * message.element_bytes;
      const bool in_pieces = bytes > sizes.short_bytes && bytes < sizes.read_bytes;
      count += layout.items().count(k) * (in_pieces ? static_cast<double>(bytes / sizes.piece_bytes) : 1);
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
  if (frames_of(ranks, message, job.handover) > max_frames) return std::nullopt;
  return node_cost(ranks, message, job);
}

}  // namespace

std::vector<Prediction> predictions(const Problem& problem, const NodeJob& job, std::span<const std::size_t> segments) {
  const Shape shape{.size = static_cast<Rank>(job.core_of.size())};
  std::vector<Prediction> found;
  for (const Algorithm& algorithm : registry()) {
    if (unfit_for(algorithm, problem, shape) != nullptr || algorithm.differs_by_network) continue;
    std::optional<Prediction> best;
    for (const Choice& choice : choices_of(algorithm, problem, shape.size, segments)) {
      const auto cost = cost_of(choice, problem, job);
      if (cost && (!best || cost->seconds < best->cost.seconds)) best = {choice, *cost};
    }
    if (best) found.push_back(*best);
  }
  std::ranges::stable_sort(found, {}, [](const Prediction& one) { return one.cost.seconds; });
  return found;
}

}  // namespace espalier
