// SPDX-License-Identifier: Apache-2.0
// What a job's log says of each collective: numbers that an MPI adds up over all ranks. There are as many of them
// whatever the program does, so a job of any size collects them in one reduction.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "report/statistics.hpp"

namespace espalier {

// By name; what has another one is added up in the last.
inline constexpr std::string_view logged_collectives[] = {
    "barrier",  "bcast", "reduce", "allreduce",          "reduce_scatter",    "gather", "allgather", "scatter",
    "alltoall", "scan",  "exscan", "neighbor_allgather", "neighbor_alltoall", "send",   "recv",      "other"};
inline constexpr std::size_t logged_count = std::size(logged_collectives);

[[nodiscard]] constexpr std::size_t logged_place_of(std::string_view collective) {
  std::size_t place = 0;
  while (place + 1 < logged_count && logged_collectives[place] != collective) ++place;
  return place;
}

// Of all calls of one collective; seconds of ranks, added up.
struct CollectiveSums {
  std::uint64_t own_calls = 0, own_bytes = 0, own_nanoseconds = 0;
  std::uint64_t native_calls = 0, native_bytes = 0, native_nanoseconds = 0;
  std::uint64_t saved_nanoseconds = 0, lost_nanoseconds = 0;  // as choosing by time believes
};

struct JobSums {
  std::uint64_t wall_nanoseconds = 0;
  std::uint64_t nodes = 0;     // of ranks that are the first of their host
  std::uint64_t failures = 0;  // calls that ended with an error
  std::array<CollectiveSums, logged_count> collectives{};

  void add(const Statistics& statistics);
  void add(const std::vector<RankContext>& contexts);
  [[nodiscard]] CollectiveSums& of(std::string_view collective);
};

// The same as plain numbers, in one row.
inline constexpr std::size_t numbers_in_sums = sizeof(JobSums) / sizeof(std::uint64_t);
using SumNumbers = std::array<std::uint64_t, numbers_in_sums>;
[[nodiscard]] SumNumbers numbers_of(const JobSums& sums);
[[nodiscard]] JobSums sums_of(const SumNumbers& numbers);

}  // namespace espalier
