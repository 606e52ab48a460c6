// SPDX-License-Identifier: Apache-2.0
// Draws cases, alike on all ranks.
#pragma once

#include <string>
#include <vector>

#include "differential/case.hpp"

namespace espalier::apps {

class Deck {
 public:
  Deck(std::uint64_t seed, int world_size, bool by_default = false);

  // The cases of one number, a function of it, the seed and the number of ranks. Every function with every algorithm
  // comes once in size() numbers, in another order each time; the first time such that the call runs on that algorithm,
  // if it can.
  [[nodiscard]] Batch draw(std::uint64_t number) const;
  [[nodiscard]] std::uint64_t size() const { return pairs_.size(); }

  // Functions and algorithms that meet without a network: "MPI_Bcast bcast:chain".
  [[nodiscard]] std::vector<std::string> meetings() const;

 private:
  struct Pair {
    const Form* form;
    std::string algorithm;
  };
  [[nodiscard]] const Pair& pair_at(std::uint64_t number) const;
  [[nodiscard]] Case draw_one(const Pair& pair, std::uint64_t seed, bool shall_be_ours) const;
  [[nodiscard]] bool is_possible(const Case& one, bool shall_be_ours) const;
  [[nodiscard]] bool is_ours(const Case& one) const;
  void add_others(Batch& batch, std::uint64_t seed) const;

  std::uint64_t seed_;
  int world_size_;
  const bool by_default_;
  std::vector<Pair> pairs_;
};

}  // namespace espalier::apps
