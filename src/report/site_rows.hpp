// SPDX-License-Identifier: Apache-2.0
// Call sites in a report: each rank's, and those of all ranks together.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "report/call_sites.hpp"
#include "report/site_row.hpp"

namespace espalier {

// Asks the loader about each; texts are made fit to print.
[[nodiscard]] std::vector<SiteRow> rows_of(const CallSites& sites);

struct JobSite {
  SiteRow row;                               // calls and bytes of all ranks together
  int ranks = 0;                             // that made such calls
  double seconds_mean = 0, seconds_max = 0;  // of these ranks
  double share = 0;                          // of the wall time of all ranks
};

// What ranks call from the same place in the same file, put together; by time, the longest first, the others last.
// `wall_of_all`: seconds of all ranks.
[[nodiscard]] std::vector<JobSite> sites_of_job(std::span<const std::vector<SiteRow>> ranks, double wall_of_all);

// "build_neighbors()", or else "lmp+0x12ab".
[[nodiscard]] std::string place_text(const SiteRow& row);

}  // namespace espalier
