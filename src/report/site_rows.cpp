// SPDX-License-Identifier: Apache-2.0
#include "report/site_rows.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "core/printable.hpp"
#include "report/loaded_place.hpp"
#include "settings/number.hpp"

namespace espalier {

namespace {

constexpr char between_fields = '\t';

std::string_view take_field(std::string_view& text) {
  const std::size_t length = std::min(text.find(between_fields), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

SiteRow row_of(const CallSites::Site& site) {
  SiteRow row{.function = site.function,
              .object = {},
              .symbol = {},
              .calls = site.sums->calls.load(std::memory_order_relaxed),
              .bytes = site.sums->bytes.load(std::memory_order_relaxed),
              .nanoseconds = site.sums->nanoseconds.load(std::memory_order_relaxed)};
  if (row.function.ends_with("_c")) row.function.resize(row.function.size() - 2);
  if (site.address == nullptr) return row;
  const LoadedPlace place = place_of_return(site.address);
  row.object = printable(place.object);
  row.offset = place.offset;
  row.symbol = printable(place.symbol);
  return row;
}

void add(JobSite& site, const SiteRow& row) {
  const double seconds = static_cast<double>(row.nanoseconds) * 1e-9;
  site.seconds_mean += (seconds - site.seconds_mean) / ++site.ranks;
  site.seconds_max = std::max(site.seconds_max, seconds);
  site.row.calls += row.calls;
  site.row.bytes += row.bytes;
  site.row.nanoseconds += row.nanoseconds;
}

bool takes_longer(const JobSite& a, const JobSite& b) {
  const bool is_known = !a.row.function.empty();
  if (is_known != !b.row.function.empty()) return is_known;
  return a.row.nanoseconds > b.row.nanoseconds;
}

}  // namespace

std::vector<SiteRow> rows_of(const CallSites& sites) {
  std::vector<SiteRow> rows;
  sites.for_each([&](const CallSites::Site& site) {
    SiteRow row = row_of(site);
    if (row.calls > 0) rows.push_back(std::move(row));
  });
  return rows;
}

std::string text_of(const SiteRow& row) {
  std::string text;
  for (const std::uint64_t number : {row.offset, row.calls, row.bytes, row.nanoseconds}) {
    text.append(std::to_string(number)) += between_fields;
  }
  return text.append(row.function) + between_fields + row.object + between_fields + row.symbol;
}

SiteRow site_in(std::string_view line) {
  SiteRow row;
  for (std::uint64_t* number : {&row.offset, &row.calls, &row.bytes, &row.nanoseconds}) {
    const auto read = parse_number(take_field(line));
    if (!read) return {};
    *number = *read;
  }
  for (std::string* field : {&row.function, &row.object, &row.symbol}) *field = take_field(line);
  return row;
}

std::vector<JobSite> sites_of_job(std::span<const std::vector<SiteRow>> ranks, double wall_of_all) {
  std::map<std::tuple<std::string, std::uint64_t, std::string>, JobSite> by_place;
  for (const std::vector<SiteRow>& rank : ranks) {
    for (const SiteRow& row : rank) {
      JobSite& site = by_place[{row.object, row.offset, row.function}];
      if (site.ranks == 0) {
        site.row = row;
        site.row.calls = site.row.bytes = site.row.nanoseconds = 0;
      }
      add(site, row);
    }
  }
  std::vector<JobSite> sites;
  for (auto& [place, site] : by_place) {
    site.share = wall_of_all > 0 ? site.seconds_mean * site.ranks / wall_of_all : 0;
    sites.push_back(std::move(site));
  }
  std::ranges::stable_sort(sites, takes_longer);
  return sites;
}

std::string place_text(const SiteRow& row) {
  if (row.function.empty()) return "others";
  if (!row.symbol.empty()) return row.symbol;
  char offset[32];
  std::snprintf(offset, sizeof offset, "+0x%llx", static_cast<unsigned long long>(row.offset));
  const std::string file = row.object.substr(row.object.rfind('/') + 1);
  return (file.empty() ? "made at run time " : file) + offset;
}

}  // namespace espalier
