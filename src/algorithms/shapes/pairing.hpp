// SPDX-License-Identifier: Apache-2.0
// Rounds in which ranks meet in pairs, so that everybody has met everybody once.
#pragma once

#include <optional>

#include "core/types.hpp"

namespace espalier {

[[nodiscard]] constexpr bool is_power_of_two(Rank size) { return (size & (size - 1)) == 0; }

// One round fewer than there are ranks; if these are an odd number, as many, and in each round one rank rests.
[[nodiscard]] constexpr int rounds_of_pairs(Rank size) { return size == 1 || size % 2 == 0 ? size - 1 : size; }

// Whom a rank meets in a round, from 0 on; nobody where it rests. Powers of two meet across a hypercube. Otherwise the
// ranks whose sum is the round meet, modulo an odd number, and the one that is left meets the last rank, if there is
// one more. (A 1-factorisation of the complete graph, as a tournament is scheduled.)
[[nodiscard]] constexpr std::optional<Rank> met_in_round(Rank rank, int round, Rank size) {
  if (is_power_of_two(size)) return rank ^ (round + 1);
  const Rank odd = size % 2 == 0 ? size - 1 : size;
  if (rank == odd) return static_cast<Rank>(std::int64_t{round} * ((odd + 1) / 2) % odd);  // twice it is the round
  const Rank other = wrap(std::int64_t{round} - rank, odd);
  if (other != rank) return other;
  return odd < size ? std::optional(odd) : std::nullopt;
}

}  // namespace espalier
