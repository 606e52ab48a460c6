// SPDX-License-Identifier: Apache-2.0
#include "report/stats_text.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <tuple>

namespace espalier {

namespace {

[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...) {
  char text[512];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

std::string bytes_text(double bytes) {
  for (const char* const unit : {"B", "KiB", "MiB", "GiB"}) {
    if (bytes < 1024) return formatted("%.4g %s", bytes, unit);
    bytes /= 1024;
  }
  return formatted("%.4g TiB", bytes);
}

std::string seconds_text(double seconds) {
  if (seconds < 999.5e-9) return formatted("%.3g ns", seconds * 1e9);
  if (seconds < 999.5e-6) return formatted("%.3g us", seconds * 1e6);
  return seconds < .9995 ? formatted("%.3g ms", seconds * 1e3) : formatted("%.4g s", seconds);
}

std::string message_text(int size_class) {
  if (size_class == 0) return "0 B";
  return bytes_text(static_cast<double>(lowest_bytes_of(size_class))) + " -";
}

std::string name_of(const RowKey& key) { return key.function.substr(key.function.starts_with("MPI_") ? 4 : 0); }

bool comes_before(const JobRow& a, const JobRow& b) {
  const auto order = [](const JobRow& row) {
    return std::tie(row.key.collective, row.key.function, row.key.size_class, row.key.algorithm);
  };
  return order(a) < order(b);
}

std::string communicator_of(const JobRow& row) {
  return row.key.communicator.empty() ? "" : " on " + row.key.communicator;
}

std::string line_of(const JobRow& row) {
  const std::string ran_as = row.key.algorithm + (row.key.parameters.empty() ? "" : " " + row.key.parameters);
  return formatted("%-20s %10s %12llu %10s %9s %6.1f%%  %s\n", name_of(row.key).c_str(),
                   message_text(row.key.size_class).c_str(), static_cast<unsigned long long>(row.calls),
                   bytes_text(static_cast<double>(row.bytes)).c_str(), seconds_text(row.seconds_mean).c_str(),
                   row.share * 100, (ran_as + communicator_of(row)).c_str());
}

std::string line_of(const JobSite& site) {
  const std::string& function = site.row.function;
  return formatted("%-20s %12llu %10s %9s %6.1f%%  %s\n", function.substr(function.starts_with("MPI_") ? 4 : 0).c_str(),
                   static_cast<unsigned long long>(site.row.calls),
                   bytes_text(static_cast<double>(site.row.bytes)).c_str(), seconds_text(site.seconds_mean).c_str(),
                   site.share * 100, place_text(site.row).c_str());
}

std::string sites_text(const std::vector<JobSite>& sites) {
  constexpr std::size_t most = 20;
  if (sites.empty()) return {};
  std::string text = formatted("%-20s %12s %10s %9s %7s  %s\n", "Function", "Calls", "Bytes", "Time", "Wall", "From");
  for (std::size_t i = 0; i < std::min(most, sites.size()); ++i) text += line_of(sites[i]);
  if (sites.size() > most) text += formatted("And %zu places with less time.\n", sites.size() - most);
  return text;
}

std::string head_of(const Report& report) {
  const JobTotal& own = report.calls.own;
  const std::uint64_t calls = own.calls + report.calls.native.calls;
  return formatted("espalier: %s on %d rank%s, %s: %llu of %llu calls ran on its own schedules\n",
                   report.version.c_str(), report.ranks, report.ranks == 1 ? "" : "s",
                   seconds_text(report.calls.wall_seconds).c_str(), static_cast<unsigned long long>(own.calls),
                   static_cast<unsigned long long>(calls));
}

}  // namespace

std::string stats_text(const Report& report) {
  std::string text = head_of(report);
  if (report.calls.rows.empty()) return text;
  text += formatted("%-20s %10s %12s %10s %9s %7s  %s\n", "Function", "Message", "Calls", "Bytes", "Time", "Wall",
                    "Ran as");
  std::vector<JobRow> rows = report.calls.rows;
  std::ranges::stable_sort(rows, comes_before);
  for (const JobRow& row : rows) text += line_of(row);
  const auto& [own, native] = std::tie(report.calls.own, report.calls.native);
  return text +
         formatted(
             "Calls, Bytes: of all ranks. Time: of one, on average. Wall: of the wall time; own %.1f%%, "
             "native %.1f%%.\n",
             own.share * 100, native.share * 100) +
         sites_text(report.sites);
}

}  // namespace espalier
