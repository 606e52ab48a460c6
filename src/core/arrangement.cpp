// SPDX-License-Identifier: Apache-2.0
#include "core/arrangement.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "core/hash.hpp"

namespace espalier {

Arrangement::Arrangement(Rank size) : ranks_(static_cast<std::size_t>(size)) {
  std::iota(ranks_.begin(), ranks_.end(), 0);
  places_ = ranks_;
}

Arrangement::Arrangement(std::vector<Rank> ranks) : ranks_(std::move(ranks)), places_(ranks_.size(), no_rank) {
  for (Rank place = 0; place < size(); ++place) {
    const Rank rank = rank_at(place);
    if (rank < 0 || rank >= size() || place_of(rank) != no_rank)
      throw std::invalid_argument("an arrangement must have each rank in one place");
    places_[static_cast<std::size_t>(rank)] = place;
  }
}

bool Arrangement::is_baseline() const { return std::ranges::is_sorted(ranks_); }

void Arrangement::exchange_places(Rank a, Rank b) {
  const Rank place_of_a = place_of(a);
  const Rank place_of_b = place_of(b);
  std::swap(ranks_[static_cast<std::size_t>(place_of_a)], ranks_[static_cast<std::size_t>(place_of_b)]);
  std::swap(places_[static_cast<std::size_t>(a)], places_[static_cast<std::size_t>(b)]);
}

std::uint64_t Arrangement::signature() const {
  std::uint64_t hash = hash_of_nothing;
  for (const Rank rank : ranks_) hash = hash_of_number(static_cast<std::uint64_t>(rank), hash);
  return hash;
}

}  // namespace espalier
