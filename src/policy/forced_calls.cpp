// SPDX-License-Identifier: Apache-2.0
#include "policy/forced_calls.hpp"

#include "algorithms/algorithm.hpp"

namespace espalier {

Choice bcast_of_numbers(const char* algorithm) {
  return {.algorithm = find_algorithm(Collective::bcast, algorithm), .reason = "short numbers"};
}

ContextStory story_of_forced(const Problem& problem, const Shape& shape, const Choice& choice, std::uint64_t calls) {
  return {.key = context_of(problem),
          .ranks = shape.size,
          .policy = "forced",
          .start = "cold",
          .state = "for ever",
          .calls = calls,
          .incumbent = 0,
          .candidates = {{.choice = choice, .estimated_times_best = 1, .calls = static_cast<double>(calls)}}};
}

}  // namespace espalier
