// SPDX-License-Identifier: Apache-2.0
#include "play/shortened_call.hpp"

namespace espalier {

ShortenedCall::ShortenedCall(const Choice& choice, const Problem& problem, const Shape& shape)
    : choice_(choice),
      problem_(problem),
      shape_(shape),
      pieces_(request_for(choice, problem, shape, 0).pieces),
      ranks_(build(pieces_)),
      whole_(partition_for(choice, problem, ranks_.front())) {}

std::vector<Schedule> ShortenedCall::build(int segments) const {
  std::vector<Schedule> ranks;
  ranks.reserve(static_cast<std::size_t>(shape_.size));
  for (Rank rank = 0; rank < shape_.size; ++rank) {
    Request request = request_for(choice_, problem_, shape_, rank);
    if (blocks_are_segments()) request.pieces = segments;
    ranks.push_back(build_schedule(*choice_.algorithm, request));
  }
  return ranks;
}

SimulatedMessage ShortenedCall::message(const Schedule& schedule, int segments) const {
  const double part = static_cast<double>(segments) / this->segments();
  const auto elements = static_cast<std::size_t>(static_cast<double>(problem_.count) * part);
  return {.partition = partition_of(problem_, schedule, elements, blocks_are_segments() ? 1 : segments),
          .element_bytes = problem_.element_bytes,
          .window = choice_.cut.window};
}

}  // namespace espalier
