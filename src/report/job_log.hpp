// SPDX-License-Identifier: Apache-2.0
// The log of a job: one small file, which `espalier site` reads (docs/reference/job-log.md).
#pragma once

#include <ctime>
#include <string>

#include "report/job_sums.hpp"
#include "settings/settings.hpp"

namespace espalier {

struct JobLog {
  std::string version, mpi;
  std::string program, job, user, host;
  std::uint64_t user_id = 0;
  int ranks = 0;
  std::int64_t ended = 0;  // seconds since 1970
  JobSums sums;
};

// What `content` leaves out is not there at all.
[[nodiscard]] std::string json_of(const JobLog& log, LogContent content);

// The number that the batch system gave the job; empty without one.
[[nodiscard]] std::string job_id();

}  // namespace espalier
