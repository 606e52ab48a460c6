// SPDX-License-Identifier: Apache-2.0
// What is tried of each collective: a matrix of dimensions, from which coverage.hpp picks rows.
#pragma once

#include <functional>
#include <vector>

#include "differential/coverage.hpp"
#include "differential/trial.hpp"

namespace espalier::apps {

struct Job {
  std::vector<Group> groups;
  std::vector<int> roots;   // used modulo the group's size
  std::vector<int> counts;  // none, one, fewer than ranks, odd, large
  Tally tally;
};

struct Matrix {
  Collective collective;
  std::vector<int> sizes;  // of the dimensions behind the first one, which is the variant
  // One row; all ranks call it with the same arguments.
  std::function<void(Job& job, const Variant& variant, const Row& row, std::uint64_t number)> run;
};

[[nodiscard]] Matrix bcast_matrix(const Job& job);
[[nodiscard]] Matrix reduction_matrix(Collective collective, const Job& job);
[[nodiscard]] Matrix block_matrix(Collective collective, const Job& job);
[[nodiscard]] Matrix barrier_matrix(const Job& job);

}  // namespace espalier::apps
