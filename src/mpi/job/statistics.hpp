// SPDX-License-Identifier: Apache-2.0
// What was done with calls, and how long it took: the rows of a report.
#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "core/types.hpp"

namespace espalier {

struct RowKey {
  Collective collective = Collective::barrier;
  int size_class = 0;      // messages of 2^(k-1) to 2^k - 1 bytes; 0: no bytes
  std::string algorithm;   // "native" for calls that were passed on
  std::string parameters;  // "segment=16KiB,window=4", or empty
  std::string reason;      // why this was chosen, or why it was passed on
  friend auto operator<=>(const RowKey&, const RowKey&) = default;
};

// Of one rank.
struct StatisticsRow {
  RowKey key;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint64_t nanoseconds = 0;
};

[[nodiscard]] int size_class_of(std::size_t bytes);
[[nodiscard]] std::size_t lowest_bytes_of(int size_class);
[[nodiscard]] std::size_t highest_bytes_of(int size_class);

class Statistics {
 public:
  // The row with this key, which is added if there is none. Rows never move.
  [[nodiscard]] StatisticsRow& row(const RowKey& key);
  void add(const Statistics& other);
  [[nodiscard]] const std::deque<StatisticsRow>& rows() const { return rows_; }

  // As text, one line per row, and back; lines that are no rows are left out.
  [[nodiscard]] std::string written() const;
  [[nodiscard]] static Statistics read(std::string_view text);

 private:
  std::deque<StatisticsRow> rows_;
};

}  // namespace espalier
