// SPDX-License-Identifier: Apache-2.0
#include "mpi/job/report.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <iterator>
#include <map>

#include "core/printable.hpp"

namespace espalier {

namespace {

// A control character (the last byte of one says which it is), or a byte that is not UTF-8.
std::string escaped(char letter) {
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(letter)));
  return escape;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    if (bytes == "\"" || bytes == "\\") result += '\\';
    result += character.is_text ? std::string(bytes) : escaped(bytes.back());
    text.remove_prefix(character.bytes);
  }
  return result + '"';
}

// With a point in every locale.
std::string seconds_text(double seconds) {
  char text[64];
  const auto [end, error] = std::to_chars(text, std::end(text), seconds, std::chars_format::fixed, 9);
  return error == std::errc{} ? std::string(text, end) : "0";
}

// The members of a JSON object, in the order in which they are added.
class Object {
 public:
  Object& add(std::string_view name, std::string_view text) { return add_raw(name, quoted(text)); }
  Object& add(std::string_view name, std::uint64_t number) { return add_raw(name, std::to_string(number)); }
  Object& add_seconds(std::string_view name, double seconds) { return add_raw(name, seconds_text(seconds)); }
  Object& add_raw(std::string_view name, std::string_view json) {
    members_ += members_.empty() ? "" : ", ";
    members_.append(quoted(name)).append(": ").append(json);
    return *this;
  }
  [[nodiscard]] std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

std::string json_of(const JobRow& row) {
  return Object()
      .add("collective", name_of(row.key.collective))
      .add("bytes_low", lowest_bytes_of(row.key.size_class))
      .add("bytes_high", highest_bytes_of(row.key.size_class))
      .add("algorithm", row.key.algorithm)
      .add("parameters", row.key.parameters)
      .add("reason", row.key.reason)
      .add("ranks", static_cast<std::uint64_t>(row.ranks))
      .add("calls", row.calls)
      .add("bytes", row.bytes)
      .add_seconds("seconds_min", row.seconds_min)
      .add_seconds("seconds_mean", row.seconds_mean)
      .add_seconds("seconds_max", row.seconds_max)
      .text();
}

void add(JobRow& job, const StatisticsRow& row) {
  const double seconds = static_cast<double>(row.nanoseconds) * 1e-9;
  job.seconds_min = job.ranks == 0 ? seconds : std::min(job.seconds_min, seconds);
  job.seconds_max = std::max(job.seconds_max, seconds);
  job.seconds_mean += (seconds - job.seconds_mean) / ++job.ranks;
  job.calls += row.calls;
  job.bytes += row.bytes;
}

}  // namespace

std::vector<JobRow> rows_of_job(std::span<const Statistics> ranks) {
  std::map<RowKey, JobRow> by_key;
  for (const Statistics& rank : ranks) {
    for (const StatisticsRow& row : rank.rows()) add(by_key[row.key], row);
  }
  std::vector<JobRow> rows;
  for (auto& [key, row] : by_key) {
    row.key = key;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string json_of(const Report& report) {
  Object settings;
  for (const auto& [name, value] : report.settings) settings.add(name, value);
  std::string rows;
  for (const JobRow& row : report.rows) rows += (rows.empty() ? "\n  " : ",\n  ") + json_of(row);
  return Object()
             .add("version", report.version)
             .add("mpi", report.mpi)
             .add("ranks", static_cast<std::uint64_t>(report.ranks))
             .add_raw("settings", settings.text())
             .add_raw("rows", "[" + rows + "]")
             .text() +
         "\n";
}

}  // namespace espalier
