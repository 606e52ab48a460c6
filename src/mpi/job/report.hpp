// SPDX-License-Identifier: Apache-2.0
// The report of a whole job: the rows of all ranks, put together, as JSON.
//
//   {"version", "mpi", "ranks", "settings": {name: value}, "rows": [...]}
//   row: {"collective", "bytes_low", "bytes_high", "algorithm", "parameters", "reason", "ranks", "calls", "bytes",
//         "seconds_min", "seconds_mean", "seconds_max"}
//
// A row is what several calls have in common; passed-on calls have the algorithm "native". `ranks` is how many ranks
// made such calls; calls and bytes are those of all ranks together, so rows can be added up even where ranks belong to
// different communicators; seconds are totals of one rank each. The text is JSON in every locale.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mpi/job/statistics.hpp"

namespace espalier {

struct JobRow {
  RowKey key;
  int ranks = 0;
  std::uint64_t calls = 0;  // of all ranks together
  std::uint64_t bytes = 0;
  double seconds_min = 0;
  double seconds_mean = 0;
  double seconds_max = 0;
};

// Sorted by key.
[[nodiscard]] std::vector<JobRow> rows_of_job(std::span<const Statistics> ranks);

struct Report {
  std::string version;
  std::string mpi;  // what the library says of itself
  int ranks = 0;
  std::vector<std::pair<std::string, std::string>> settings;
  std::vector<JobRow> rows;
};

[[nodiscard]] std::string json_of(const Report& report);

}  // namespace espalier
