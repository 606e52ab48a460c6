// SPDX-License-Identifier: Apache-2.0
#include "select/estimate.hpp"

#include "estimate/running_time.hpp"
#include "select/plan.hpp"

namespace espalier {

namespace {

// Segments of a block (or pieces of the message) after which a pipeline runs evenly, and up to which it is played.
constexpr int even_from = 4;
constexpr int played_to = 8;

struct Played {
  double seconds = 0;
  int segments = 1;  // or pieces
};

using Schedules = std::vector<Schedule>;  // of all ranks

Schedules build(const Choice& choice, const Problem& problem, const Shape& shape) {
  const Tuning tuning = tuning_for(choice, problem);
  Schedules ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(build_schedule(*choice.algorithm, shape, rank, problem.root, problem.in_place, tuning));
  }
  return ranks;
}

int segments_of(const Choice& choice, const Problem& problem, const Schedules& ranks) {
  if (choice.algorithm->cuts_by_length) return tuning_for(choice, problem).pieces;
  return binding_for(choice, problem, ranks.front()).segments;
}

Played play(const Choice& choice, const Problem& problem, const Schedules& ranks, const Network& network) {
  const Binding binding = binding_for(choice, problem, ranks.front());
  const Payload payload{.elements = problem.count,
                        .element_bytes = problem.element_bytes,
                        .segments = binding.segments,
                        .window = binding.window,
                        .granule = binding.granule};
  return {running_time(ranks, payload, network), segments_of(choice, problem, ranks)};
}

Problem beginning_of(Problem problem, int segments, int all) {
  problem.count = problem.count * static_cast<std::size_t>(segments) / static_cast<std::size_t>(all);
  return problem;
}

}  // namespace

bool can_be_estimated(const Shape& shape) {
  return shape.network != nullptr && shape.size <= most_estimated_ranks &&
         (shape.network->is_connected() || !shape.network->sites().empty());
}

double estimated_seconds(const Choice& choice, const Problem& problem, const Shape& shape) {
  const Schedules ranks = build(choice, problem, shape);
  const int segments = segments_of(choice, problem, ranks);
  if (segments <= played_to) return play(choice, problem, ranks, *shape.network).seconds;
  // The same schedules, unless they depend on the length.
  const auto play_beginning = [&](int count) {
    const Problem beginning = beginning_of(problem, count, segments);
    const bool again = choice.algorithm->cuts_by_length;
    return play(choice, beginning, again ? build(choice, beginning, shape) : ranks, *shape.network);
  };
  const Played first = play_beginning(even_from), second = play_beginning(played_to);
  const double each = (second.seconds - first.seconds) / (second.segments - first.segments);
  return second.seconds + each * (segments - second.segments);
}

}  // namespace espalier
