// SPDX-License-Identifier: Apache-2.0
// What was done with calls, and how long it took: the rows of a report.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "report/site_row.hpp"

namespace espalier {

// Whether a call returns when it is over, or with a request, which is started at once, or each time that it is told to.
enum class CallForm : std::uint8_t { blocking, nonblocking, persistent };
inline constexpr std::string_view call_form_names[] = {"blocking", "nonblocking", "persistent"};

inline constexpr std::string_view native_name = "native";  // the algorithm of calls that were passed on

template <class Text>
struct BasicRowKey {
  Text collective;  // "gather", "neighbor_allgather"
  CallForm form = CallForm::blocking;
  int size_class = 0;  // messages of 2^(k-1) to 2^k - 1 bytes; 0: no bytes
  Text algorithm;
  Text parameters;    // "segment=16KiB,window=4", or empty
  Text reason;        // why this was chosen, or why it was passed on
  Text function;      // "MPI_Gatherv": as the program called it
  Text communicator;  // as the program named it, made fit to print; empty: it has no name
  friend auto operator<=>(const BasicRowKey&, const BasicRowKey&) = default;
};
using RowKey = BasicRowKey<std::string>;
using RowKeyView = BasicRowKey<std::string_view>;  // rows are looked up by it, so that nothing is allocated

// Of one rank.
struct StatisticsRow {
  RowKey key;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint64_t nanoseconds = 0;

  void add(std::uint64_t more_calls, std::uint64_t more_bytes, Clock::duration taken) {
    calls += more_calls;
    bytes += more_bytes;
    nanoseconds += nanoseconds_of(taken);
  }
  void add_from_any_thread(std::uint64_t more_calls, std::uint64_t more_bytes, Clock::duration taken) {
    std::atomic_ref(calls).fetch_add(more_calls, std::memory_order_relaxed);
    std::atomic_ref(bytes).fetch_add(more_bytes, std::memory_order_relaxed);
    std::atomic_ref(nanoseconds).fetch_add(nanoseconds_of(taken), std::memory_order_relaxed);
  }

 private:
  [[nodiscard]] static std::uint64_t nanoseconds_of(Clock::duration taken) {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(taken).count());
  }
};

[[nodiscard]] int size_class_of(std::size_t bytes);
[[nodiscard]] std::size_t lowest_bytes_of(int size_class);
[[nodiscard]] std::size_t highest_bytes_of(int size_class);

class Statistics {
 public:
  // The row with this key, which is added if there is none. Rows never move.
  [[nodiscard]] StatisticsRow& row(const RowKeyView& key);
  void add(const Statistics& other);
  [[nodiscard]] const std::deque<StatisticsRow>& rows() const;

  // As text, one line per row, and back; lines that are no rows are left out, and rows without calls are not written.
  [[nodiscard]] std::string written() const;
  [[nodiscard]] static Statistics read(std::string_view text);

 private:
  std::optional<std::deque<StatisticsRow>> rows_;  // nothing: there are none, for which no memory is taken
};

// Blocking calls, as they were timed.
struct MeasuredCalls {
  std::uint64_t calls = 0, nanoseconds = 0;

  void add(Clock::duration taken) {
    ++calls;
    nanoseconds += static_cast<std::uint64_t>(std::chrono::nanoseconds(taken).count());
  }
};

// What one rank has to say of a context that is chosen by time.
struct RankContext {
  std::uint64_t key = 0;  // the same on all ranks of its communicator; 0: these have never met
  MeasuredCalls measured;
  std::string story;  // as JSON, by the communicator's first rank; empty on the others, and where no report is wanted
  // By the first rank for all of them, for this process's use alone: believed, against the first candidate.
  std::string_view collective{};
  double saved_seconds = 0, lost_seconds = 0;  // of ranks, added up
};

// What one rank has to say at the end of the job.
struct RankStatistics {
  std::uint64_t wall_nanoseconds = 0;  // from the end of MPI_Init to the beginning of MPI_Finalize
  Statistics statistics;
  std::vector<RankContext> contexts;
  std::vector<SiteRow> sites;  // if they are wanted

  // As text, and back: the time, the statistics, each context and each site.
  [[nodiscard]] std::string written() const;
  [[nodiscard]] static RankStatistics read(std::string_view text);
};

}  // namespace espalier
