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

Played play(const Choice& choice, const Problem& problem, const Shape& shape) {
  const Tuning tuning = tuning_for(choice, problem);
  std::vector<Schedule> ranks;
  for (Rank rank = 0; rank < shape.size; ++rank) {
    ranks.push_back(build_schedule(*choice.algorithm, shape, rank, problem.root, problem.in_place, tuning));
  }
  const Binding binding = binding_for(choice, problem, ranks.front());
  const Payload payload{.elements = problem.count,
                        .element_bytes = problem.element_bytes,
                        .segments = binding.segments,
                        .window = binding.window,
                        .granule = binding.granule};
  const int segments = choice.algorithm->cuts_by_length ? tuning.pieces : binding.segments;
  return {running_time(ranks, payload, *shape.network), segments};
}

int segments_of(const Choice& choice, const Problem& problem, const Shape& shape) {
  const Tuning tuning = tuning_for(choice, problem);
  if (choice.algorithm->cuts_by_length) return tuning.pieces;
  const Schedule schedule = build_schedule(*choice.algorithm, shape, 0, problem.root, problem.in_place, tuning);
  return binding_for(choice, problem, schedule).segments;
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
  const int segments = segments_of(choice, problem, shape);
  if (segments <= played_to) return play(choice, problem, shape).seconds;
  const Played first = play(choice, beginning_of(problem, even_from, segments), shape);
  const Played second = play(choice, beginning_of(problem, played_to, segments), shape);
  const double each = (second.seconds - first.seconds) / (second.segments - first.segments);
  return second.seconds + each * (segments - second.segments);
}

}  // namespace espalier
