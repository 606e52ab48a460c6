// SPDX-License-Identifier: Apache-2.0
// Which rank stands in which place of a tree. An algorithm speaks of places; those of ranks that arrive late are
// exchanged with others. (Paper 4, section 4: "virtual ranks".)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/types.hpp"

namespace espalier {

// A permutation of 0..size-1; equal on all ranks of a communicator. At first each rank stands in the place that has its
// number.
class Arrangement {
 public:
  explicit Arrangement(Rank size);
  // The ranks of all places. Throws std::invalid_argument if one is missing.
  explicit Arrangement(std::vector<Rank> ranks);

  [[nodiscard]] Rank size() const { return static_cast<Rank>(ranks_.size()); }
  [[nodiscard]] Rank rank_at(Rank place) const { return ranks_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] Rank place_of(Rank rank) const { return places_[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] const std::vector<Rank>& ranks() const { return ranks_; }
  [[nodiscard]] bool is_baseline() const;

  void exchange_places(Rank a, Rank b);

  // Equal for equal arrangements, on all ranks; of others it differs but for an accident.
  [[nodiscard]] std::uint64_t signature() const;

  friend bool operator==(const Arrangement& a, const Arrangement& b) { return a.ranks_ == b.ranks_; }

 private:
  std::vector<Rank> ranks_;   // by place
  std::vector<Rank> places_;  // by rank
};

// Null stands for the default one.
[[nodiscard]] inline bool are_alike(const std::shared_ptr<const Arrangement>& a,
                                    const std::shared_ptr<const Arrangement>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

}  // namespace espalier
