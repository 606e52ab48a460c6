// SPDX-License-Identifier: Apache-2.0
#include "mpi/statistics.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace espalier {

namespace {

constexpr char field_end = '\t';
constexpr char row_end = '\n';

// Takes the text up to `end` off the front.
std::string_view take(std::string_view& text, char end) {
  const std::size_t length = std::min(text.find(end), text.size());
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return taken;
}

std::uint64_t take_number(std::string_view& text) {
  const std::string_view field = take(text, field_end);
  std::uint64_t number = 0;
  std::from_chars(field.data(), field.data() + field.size(), number);
  return number;
}

}  // namespace

int size_class_of(std::size_t bytes) { return std::bit_width(bytes); }
std::size_t lowest_bytes_of(int size_class) { return size_class == 0 ? 0 : std::size_t{1} << (size_class - 1); }
std::size_t highest_bytes_of(int size_class) {
  return size_class == 0 ? 0 : lowest_bytes_of(size_class) + (lowest_bytes_of(size_class) - 1);
}

Row& Statistics::row(const RowKey& key) {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.key == key; });
  return found != rows_.end() ? *found : rows_.emplace_back(Row{.key = key});
}

void Statistics::add(const Statistics& other) {
  for (const Row& theirs : other.rows()) {
    Row& mine = row(theirs.key);
    mine.calls += theirs.calls;
    mine.bytes += theirs.bytes;
    mine.nanoseconds += theirs.nanoseconds;
  }
}

std::string Statistics::written() const {
  std::string text;
  for (const Row& row : rows_) {
    const auto collective = static_cast<std::uint64_t>(row.key.collective);
    const auto size_class = static_cast<std::uint64_t>(row.key.size_class);
    for (const std::uint64_t number : {collective, size_class, row.calls, row.bytes, row.nanoseconds}) {
      text.append(std::to_string(number)) += field_end;
    }
    for (const std::string& field : {row.key.algorithm, row.key.parameters, row.key.reason}) {
      text.append(field) += field_end;
    }
    text += row_end;
  }
  return text;
}

Statistics Statistics::read(std::string_view text) {
  Statistics statistics;
  while (!text.empty()) {
    std::string_view line = take(text, row_end);
    Row row;
    row.key.collective = static_cast<Collective>(take_number(line));
    row.key.size_class = static_cast<int>(take_number(line));
    row.calls = take_number(line);
    row.bytes = take_number(line);
    row.nanoseconds = take_number(line);
    row.key.algorithm = take(line, field_end);
    row.key.parameters = take(line, field_end);
    row.key.reason = take(line, field_end);
    statistics.rows_.push_back(std::move(row));
  }
  return statistics;
}

}  // namespace espalier
