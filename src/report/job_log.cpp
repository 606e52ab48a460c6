// SPDX-License-Identifier: Apache-2.0
#include "report/job_log.hpp"

#include <cstdlib>

#include "report/json.hpp"

namespace espalier {

namespace {

constexpr const char* variables_of_batch_systems[] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",    "PJM_JOBID",
                                                      "FLUX_JOB_ID",  "JOB_ID",    "COBALT_JOBID", "OAR_JOB_ID"};

double mean_seconds(std::uint64_t nanoseconds, int ranks) { return static_cast<double>(nanoseconds) / 1e9 / ranks; }

// Seconds are those of one rank, the mean over all.
std::string json_of(std::string_view name, const CollectiveSums& sums, int ranks) {
  const auto mean = [&](std::uint64_t nanoseconds) { return mean_seconds(nanoseconds, ranks); };
  json::Object object;
  object.add("collective", name)
      .add("own_calls", sums.own_calls)
      .add("own_bytes", sums.own_bytes)
      .add("own_seconds", mean(sums.own_nanoseconds))
      .add("native_calls", sums.native_calls)
      .add("native_bytes", sums.native_bytes)
      .add("native_seconds", mean(sums.native_nanoseconds))
      .add("saved_seconds", mean(sums.saved_nanoseconds))
      .add("lost_seconds", mean(sums.lost_nanoseconds));
  return object.text();
}

std::string collectives_of(const JobLog& log) {
  std::string list;
  for (std::size_t i = 0; i < logged_count; ++i) {
    const CollectiveSums& sums = log.sums.collectives[i];
    if (sums.own_calls + sums.native_calls == 0) continue;
    list += (list.empty() ? "\n  " : ",\n  ") + json_of(logged_collectives[i], sums, log.ranks);
  }
  return "[" + list + "]";
}

}  // namespace

std::string json_of(const JobLog& log, LogContent content) {
  json::Object object;
  object.add("espalier_log", 1).add("version", log.version).add("mpi", log.mpi);
  if (content != LogContent::only_calls) object.add("program", log.program).add("job", log.job);
  if (content == LogContent::everything) {
    object.add("user", log.user).add("user_id", log.user_id).add("host", log.host);
  }
  object.add("ranks", log.ranks)
      .add("nodes", log.sums.nodes)
      .add("ended", log.ended)
      .add("wall_seconds", mean_seconds(log.sums.wall_nanoseconds, log.ranks))
      .add("failures", log.sums.failures)
      .add_raw("collectives", collectives_of(log));
  return object.text() + "\n";
}

std::string job_id() {
  for (const char* const variable : variables_of_batch_systems) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return value;
  }
  return "";
}

}  // namespace espalier
