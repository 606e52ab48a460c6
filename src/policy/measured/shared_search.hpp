// SPDX-License-Identifier: Apache-2.0
// The search for alternatives, of which each rank plays some. So it takes no longer than a sum and the longest plays,
// and all ranks go by the same numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/measured/shared_numbers.hpp"
#include "policy/measured/shared_work.hpp"
#include "select/choice_search.hpp"

namespace espalier {

class SharedSearch final : public SharedWork {
 public:
  SharedSearch(const Problem& problem, const Shape& shape, const Choice& baseline, Reproducible reproducible)
      : search_(problem, shape, baseline, reproducible), numbers_(head_size + search_.plays()) {}

  // Returns what becomes the sum over all ranks when each has done its part. May begin again at any time. `state`: what
  // all ranks shall have alike, a whole number and not too large.
  [[nodiscard]] std::span<double> begin(double state);
  void do_part(Rank rank, Rank ranks) override;

  // Of what is played: equal where the numbers stand for the same.
  [[nodiscard]] std::uint64_t hash() const { return search_.hash(); }

  // After the sum.
  [[nodiscard]] bool is_common(Rank ranks) const;
  [[nodiscard]] std::vector<Alternative> alternatives() const;

 private:
  static constexpr std::size_t head_size = sizeof(CommonNumber) / sizeof(double);

  const ChoiceSearch search_;
  std::vector<double> numbers_;  // the state, and the seconds of each play
};

}  // namespace espalier
