// SPDX-License-Identifier: Apache-2.0
#include "mpi/start/job_log.hpp"

#include <unistd.h>

#include <ctime>

#include "core/log.hpp"
#include "files/fresh_file.hpp"
#include "mpi/calls/context.hpp"
#include "mpi/start/build_id.hpp"
#include "mpi/start/job_report.hpp"
#include "report/job_log.hpp"
#include "settings/log_pattern.hpp"
#include "settings/site/this_process.hpp"

namespace espalier {

namespace {

void log_no_log(const char* what) { log_line("no log of this job: %s", what); }

// A rank that has no memory for it takes part without its numbers.
SumNumbers numbers_of_this_rank(Clock::duration wall) try {
  JobSums sums;
  sums.wall_nanoseconds = static_cast<std::uint64_t>(std::chrono::nanoseconds(wall).count());
  sums.nodes = context->job.is_first_of_host ? 1 : 0;
  sums.failures = context->failures.load(std::memory_order_relaxed);
  sums.add(context->communicators.statistics());
  sums.add(context->communicators.contexts());
  return numbers_of(sums);
} catch (const std::exception&) {
  return {};
}

JobLog log_of(const JobSums& sums) {
  const bool is_whose_told = context->job.settings.log_content == LogContent::everything;
  return {.version = std::string(library_version),
          .mpi = library_line(context->job.mpi),
          .program = program_name(),
          .job = job_id(),
          .user = is_whose_told ? user_name() : "",
          .host = this_host(),
          .user_id = ::geteuid(),
          .ranks = context->job.world_size,
          .ended = std::time(nullptr),
          .sums = sums};
}

std::string part_of_time(const std::tm& time, char part) {
  const char format[] = {'%', part, '\0'};
  char text[16] = "";
  std::strftime(text, sizeof text, format, &time);
  return text;
}

std::string value_of(std::string_view word, const JobLog& log, const std::tm& time) {
  if (word == "rank0pid") return std::to_string(::getpid());
  if (word == "program") return log.program;
  if (word == word_of_user) return log.user.empty() ? user_name() : log.user;
  if (word == "host") return log.host;
  if (word == "job") return log.job;
  return part_of_time(time, word.front());
}

std::vector<DirectoryStep> steps_to(const std::string& pattern, const JobLog& log) {
  const std::time_t ended = log.ended;
  std::tm time{};
  ::localtime_r(&ended, &time);
  std::vector<DirectoryStep> steps;
  for (PathStep& step : path_by_pattern(pattern, [&](std::string_view word) { return value_of(word, log, time); })) {
    steps.push_back({std::move(step.name), step.is_given, step.is_own});
  }
  return steps;
}

// Who may read a file may go through the directories that are made for it.
FreshFile modes_of(const std::string& log_mode) {
  if (log_mode == "0640") return {.mode = 0640, .mode_of_own_directories = 0750};
  if (log_mode == "0644") return {.mode = 0644, .mode_of_own_directories = 0755};
  return {};
}

void write(const JobLog& log) {
  const Settings& settings = context->job.settings;
  const std::string error = write_fresh(steps_to(settings.log_dir, log), modes_of(settings.log_mode), ".json",
                                        json_of(log, settings.log_content));
  if (!error.empty()) log_no_log(error.c_str());
}

}  // namespace

void write_job_log(Clock::duration wall) try {
  const SumNumbers mine = numbers_of_this_rank(wall);
  SumNumbers all{};
  const int status = context->job.mpi.Reduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_UINT64_T,
                                             MPI_SUM, 0, context->job.traffic);
  if (status == MPI_SUCCESS && context->job.world_rank == 0) write(log_of(sums_of(all)));
} catch (const std::exception& error) {
  log_no_log(error.what());
}

}  // namespace espalier
