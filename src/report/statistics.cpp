// SPDX-License-Identifier: Apache-2.0
#include "report/statistics.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "settings/number.hpp"

namespace espalier {

namespace {

constexpr char field_end = '\t';
constexpr char row_end = '\n';
constexpr char context_begin = '\f';
constexpr char site_begin = '\v';
constexpr std::uint64_t max_size_class = std::numeric_limits<std::size_t>::digits;

// Takes the text up to `end` off the front.
std::string_view take(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

// Nothing if the line is no row: what other processes say is not taken on trust.
std::optional<StatisticsRow> row_in(std::string_view line) {
  std::array<std::uint64_t, 5> numbers{};
  for (std::uint64_t& number : numbers) {
    const auto read = parse_number(take(line, field_end));
    if (!read) return std::nullopt;
    number = *read;
  }
  const auto [form, size_class, calls, bytes, nanoseconds] = numbers;
  if (form >= std::size(call_form_names) || size_class > max_size_class) return std::nullopt;
  StatisticsRow row{.calls = calls, .bytes = bytes, .nanoseconds = nanoseconds};
  row.key.form = static_cast<CallForm>(form);
  row.key.size_class = static_cast<int>(size_class);
  for (std::string* field : {&row.key.collective, &row.key.algorithm, &row.key.parameters, &row.key.reason,
                             &row.key.function, &row.key.communicator}) {
    *field = take(line, field_end);
  }
  return row;
}

std::string text_of(const RankContext& context) {
  std::string text;
  for (const std::uint64_t number : {context.key, context.measured.calls, context.measured.nanoseconds}) {
    text.append(std::to_string(number)) += field_end;
  }
  return text + context.story;
}

RankContext context_in(std::string_view text) {
  RankContext context;
  for (std::uint64_t* number : {&context.key, &context.measured.calls, &context.measured.nanoseconds}) {
    *number = parse_number(take(text, field_end)).value_or(0);
  }
  context.story = text;
  return context;
}

RowKeyView view_of(const RowKey& key) {
  return {key.collective, key.form,   key.size_class, key.algorithm,
          key.parameters, key.reason, key.function,   key.communicator};
}

RowKey copy_of(const RowKeyView& key) {
  const auto copy = [](std::string_view text) { return std::string(text); };
  return {copy(key.collective), key.form,         key.size_class,     copy(key.algorithm),
          copy(key.parameters), copy(key.reason), copy(key.function), copy(key.communicator)};
}

}  // namespace

int size_class_of(std::size_t bytes) { return std::bit_width(bytes); }
std::size_t lowest_bytes_of(int size_class) { return size_class == 0 ? 0 : std::size_t{1} << (size_class - 1); }
std::size_t highest_bytes_of(int size_class) {
  return size_class == 0 ? 0 : lowest_bytes_of(size_class) + (lowest_bytes_of(size_class) - 1);
}

const std::deque<StatisticsRow>& Statistics::rows() const {
  static const std::deque<StatisticsRow> none;
  return rows_ ? *rows_ : none;
}

StatisticsRow& Statistics::row(const RowKeyView& key) {
  if (!rows_) rows_.emplace();
  const auto found = std::ranges::find(*rows_, key, [](const StatisticsRow& row) { return view_of(row.key); });
  return found != rows_->end() ? *found : rows_->emplace_back(StatisticsRow{.key = copy_of(key)});
}

void Statistics::add(const Statistics& other) {
  for (const StatisticsRow& theirs : other.rows()) {
    StatisticsRow& mine = row(view_of(theirs.key));
    mine.calls += theirs.calls;
    mine.bytes += theirs.bytes;
    mine.nanoseconds += theirs.nanoseconds;
  }
}

std::string Statistics::written() const {
  std::string text;
  for (const StatisticsRow& row : rows()) {
    if (row.calls == 0) continue;
    const auto form = static_cast<std::uint64_t>(row.key.form);
    const auto size_class = static_cast<std::uint64_t>(row.key.size_class);
    for (const std::uint64_t number : {form, size_class, row.calls, row.bytes, row.nanoseconds}) {
      text.append(std::to_string(number)) += field_end;
    }
    for (const std::string* field : {&row.key.collective, &row.key.algorithm, &row.key.parameters, &row.key.reason,
                                     &row.key.function, &row.key.communicator}) {
      text.append(*field) += field_end;
    }
    text += row_end;
  }
  return text;
}

Statistics Statistics::read(std::string_view text) {
  Statistics statistics;
  statistics.rows_.emplace();
  while (!text.empty()) {
    if (auto row = row_in(take(text, row_end))) statistics.rows_->push_back(*std::move(row));
  }
  return statistics;
}

std::string RankStatistics::written() const {
  std::string text = std::to_string(wall_nanoseconds) + row_end + statistics.written();
  for (const RankContext& context : contexts) text.append(1, context_begin).append(text_of(context));
  for (const SiteRow& site : sites) text.append(1, site_begin).append(text_of(site));
  return text;
}

RankStatistics RankStatistics::read(std::string_view text) {
  RankStatistics read;
  std::string_view places = text.substr(std::min(text.find(site_begin), text.size()));
  text.remove_suffix(places.size());
  read.wall_nanoseconds = parse_number(take(text, row_end)).value_or(0);
  read.statistics = Statistics::read(take(text, context_begin));
  while (!text.empty()) read.contexts.push_back(context_in(take(text, context_begin)));
  places.remove_prefix(std::min<std::size_t>(1, places.size()));
  while (!places.empty()) {
    SiteRow site = site_in(take(places, site_begin));
    if (site.calls > 0) read.sites.push_back(std::move(site));
  }
  return read;
}

}  // namespace espalier
