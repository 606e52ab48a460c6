// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "report/context_report.hpp"
#include "report/json.hpp"

namespace espalier {

namespace {

std::string json_of(const JobRow& row) {
  json::Object object;
  object.add("collective", row.key.collective).add("function", row.key.function);
  if (!row.key.communicator.empty()) object.add("communicator", row.key.communicator);
  return object.add("form", call_form_names[static_cast<std::size_t>(row.key.form)])
      .add("bytes_low", lowest_bytes_of(row.key.size_class))
      .add("bytes_high", highest_bytes_of(row.key.size_class))
      .add("algorithm", row.key.algorithm)
      .add("parameters", row.key.parameters)
      .add("reason", row.key.reason)
      .add("ranks", row.ranks)
      .add("calls", row.calls)
      .add("bytes", row.bytes)
      .add("seconds_min", row.seconds_min)
      .add("seconds_mean", row.seconds_mean)
      .add("seconds_max", row.seconds_max)
      .add("share", row.share)
      .text();
}

std::string json_of(const JobTotal& total) {
  return json::Object()
      .add("calls", total.calls)
      .add("bytes", total.bytes)
      .add("seconds", total.seconds)
      .add("share", total.share)
      .text();
}

std::string json_of(const JobSite& site) {
  char offset[32];
  std::snprintf(offset, sizeof offset, "0x%llx", static_cast<unsigned long long>(site.row.offset));
  return json::Object()
      .add("function", site.row.function)
      .add("object", site.row.object)
      .add("offset", offset)
      .add("symbol", site.row.symbol)
      .add("ranks", site.ranks)
      .add("calls", site.row.calls)
      .add("bytes", site.row.bytes)
      .add("seconds_mean", site.seconds_mean)
      .add("seconds_max", site.seconds_max)
      .add("share", site.share)
      .text();
}

double seconds_of(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

void add(JobRow& job, const StatisticsRow& row) {
  const double seconds = seconds_of(row.nanoseconds);
  job.seconds_min = job.ranks == 0 ? seconds : std::min(job.seconds_min, seconds);
  job.seconds_max = std::max(job.seconds_max, seconds);
  job.seconds_mean += (seconds - job.seconds_mean) / ++job.ranks;
  job.calls += row.calls;
  job.bytes += row.bytes;
}

void add(JobTotal& total, const JobRow& row, std::size_t ranks) {
  total.calls += row.calls;
  total.bytes += row.bytes;
  total.seconds += row.seconds_mean * row.ranks / static_cast<double>(ranks);
  total.share += row.share;
}

}  // namespace

JobCalls calls_of_job(std::span<const RankStatistics> ranks) {
  double wall_of_all = 0;
  std::map<RowKey, JobRow> by_key;
  for (const RankStatistics& rank : ranks) {
    wall_of_all += seconds_of(rank.wall_nanoseconds);
    for (const StatisticsRow& row : rank.statistics.rows()) add(by_key[row.key], row);
  }
  JobCalls calls{.wall_seconds = ranks.empty() ? 0 : wall_of_all / static_cast<double>(ranks.size())};
  for (auto& [key, row] : by_key) {
    row.key = key;
    row.share = wall_of_all > 0 ? row.seconds_mean * row.ranks / wall_of_all : 0;
    add(key.algorithm == native_name ? calls.native : calls.own, row, ranks.size());
    calls.rows.push_back(std::move(row));
  }
  return calls;
}

std::vector<JobSite> sites_of_job(std::span<const RankStatistics> ranks) {
  double wall_of_all = 0;
  std::vector<std::vector<SiteRow>> sites;
  for (const RankStatistics& rank : ranks) {
    wall_of_all += seconds_of(rank.wall_nanoseconds);
    sites.push_back(rank.sites);
  }
  return sites_of_job(sites, wall_of_all);
}

std::vector<std::string> contexts_of_job(std::span<const RankStatistics> ranks) {
  struct Sum {
    MeasuredCalls calls;
    std::uint64_t ranks = 0;
  };
  std::map<std::uint64_t, Sum> by_key;
  for (const RankStatistics& rank : ranks) {
    for (const RankContext& one : rank.contexts) {
      Sum& sum = by_key[one.key];
      sum.calls.calls += one.measured.calls;
      sum.calls.nanoseconds += one.measured.nanoseconds;
      ++sum.ranks;
    }
  }
  std::vector<std::string> stories;
  for (const RankStatistics& rank : ranks) {
    for (const RankContext& one : rank.contexts) {
      if (one.story.empty()) continue;
      const Sum sum = one.key != 0 ? by_key[one.key] : Sum{one.measured, 1};
      stories.push_back(with_measured(one.story, sum.calls.calls / sum.ranks,
                                      seconds_of(sum.calls.nanoseconds) / static_cast<double>(sum.ranks)));
    }
  }
  return stories;
}

std::string json_of(const Report& report) {
  json::Object settings;
  for (const auto& [name, value] : report.settings) settings.add(name, value);
  constexpr std::string_view on_its_own_line = "\n  ";
  const auto json_of_row = [](const JobRow& row) { return json_of(row); };
  const auto as_it_is = [](const std::string& context) -> const std::string& { return context; };
  json::Object object;
  object.add("version", report.version)
      .add("mpi", report.mpi)
      .add("ranks", report.ranks)
      .add_raw("settings", settings.text())
      .add("wall_seconds", report.calls.wall_seconds)
      .add_raw("own", json_of(report.calls.own))
      .add_raw("native", json_of(report.calls.native))
      .add_raw("rows", json::list_of(report.calls.rows, json_of_row, on_its_own_line))
      .add_raw("contexts", json::list_of(report.contexts, as_it_is, on_its_own_line));
  const auto json_of_site = [](const JobSite& site) { return json_of(site); };
  if (report.has_sites) object.add_raw("sites", json::list_of(report.sites, json_of_site, on_its_own_line));
  return object.text() + "\n";
}

}  // namespace espalier
