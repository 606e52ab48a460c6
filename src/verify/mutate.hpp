// SPDX-License-Identifier: Apache-2.0
// How good is the verifier? Every algorithm's schedules are spoilt in every small respect, one at a time; each of these
// mutants must be caught, or else it must be right: proved by all checks, and tried out in random orders.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "verify/mutants.hpp"
#include "verify/sweep.hpp"

namespace espalier {

struct MutationOptions {
  std::vector<Rank> sizes{2, 3, 4, 5, 8};
  std::size_t max_per_case = 0;  // mutants of one case, taken at random; 0: all
  int trials = 4;                // runs of each mutant that is tried out
  int trial_share = 8;           // one of the given number of harmless mutants is tried out
  std::uint64_t seed = 1;
  SweepOptions sweep;  // cuts, threads, what to look at, progress; `sizes` there is ignored
};

struct MutationCount {
  std::size_t made = 0;
  std::size_t caught = 0;
  std::size_t harmless = 0;  // proved right in spite of the change: made == caught + harmless
  std::size_t tried = 0;     // of the harmless: run in earnest
  std::size_t refuted = 0;   // of these: went wrong, so the verifier is unsound. Must be 0
};

struct MutationResult {
  std::array<MutationCount, mutation_kinds> counts;
  MutationCount dropped_for_data;  // of drop_dependency: with algorithms none of whose dependencies only keep time
  std::vector<std::string> refutations;
  double seconds = 0;

  [[nodiscard]] MutationCount total() const;
};

[[nodiscard]] MutationResult mutate(const MutationOptions& options);

}  // namespace espalier
