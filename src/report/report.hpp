// SPDX-License-Identifier: Apache-2.0
// The report of a whole job: the rows of all ranks, put together, as JSON (docs/reference/report.md has its fields).
//
// A row is what several calls have in common; passed-on calls have the algorithm "native". `ranks` is how many ranks
// made such calls; calls and bytes are those of all ranks together, so rows can be added up even where ranks belong to
// different communicators; the seconds of a row are those of one rank that made such calls, the seconds of a total and
// wall_seconds the mean of all. A share is a part of the wall time of all ranks together, so shares can be added up.
// The text is JSON in every locale.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "report/site_rows.hpp"
#include "report/statistics.hpp"

namespace espalier {

struct JobRow {
  RowKey key;
  int ranks = 0;
  std::uint64_t calls = 0;  // of all ranks together
  std::uint64_t bytes = 0;
  double seconds_min = 0;
  double seconds_mean = 0;
  double seconds_max = 0;
  double share = 0;  // of the wall time of all ranks
};

// Of several rows.
struct JobTotal {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;  // of one rank, on average
  double share = 0;
};

// The calls of all ranks together.
struct JobCalls {
  double wall_seconds = 0;  // of one rank, on average
  JobTotal own, native;
  std::vector<JobRow> rows;  // sorted by key
};
[[nodiscard]] JobCalls calls_of_job(std::span<const RankStatistics> ranks);
[[nodiscard]] std::vector<JobSite> sites_of_job(std::span<const RankStatistics> ranks);
// The stories of contexts, as JSON, with what their ranks measured: the mean over them.
[[nodiscard]] std::vector<std::string> contexts_of_job(std::span<const RankStatistics> ranks);

struct Report {
  std::string version;
  std::string mpi;  // what the library says of itself
  int ranks = 0;
  std::vector<std::pair<std::string, std::string>> settings;
  JobCalls calls;
  std::vector<std::string> contexts;  // JSON of each (context_report.hpp)
  bool has_sites = false;             // somebody wants to know of them
  std::vector<JobSite> sites;
};

[[nodiscard]] std::string json_of(const Report& report);

}  // namespace espalier
