// SPDX-License-Identifier: Apache-2.0
#include "report/job_sums.hpp"

#include <algorithm>
#include <bit>

namespace espalier {

namespace {

std::uint64_t nanoseconds_of(double seconds) {
  constexpr double most = 1e9;  // seconds: a mistaken time must not spoil a sum
  return static_cast<std::uint64_t>(std::clamp(seconds, 0.0, most) * 1e9);
}

}  // namespace

CollectiveSums& JobSums::of(std::string_view collective) { return collectives[logged_place_of(collective)]; }

void JobSums::add(const Statistics& statistics) {
  for (const StatisticsRow& row : statistics.rows()) {
    CollectiveSums& sums = of(row.key.collective);
    const bool is_native = row.key.algorithm == native_name;
    (is_native ? sums.native_calls : sums.own_calls) += row.calls;
    (is_native ? sums.native_bytes : sums.own_bytes) += row.bytes;
    (is_native ? sums.native_nanoseconds : sums.own_nanoseconds) += row.nanoseconds;
  }
}

void JobSums::add(const std::vector<RankContext>& contexts) {
  for (const RankContext& context : contexts) {
    CollectiveSums& sums = of(context.collective);
    sums.saved_nanoseconds += nanoseconds_of(context.saved_seconds);
    sums.lost_nanoseconds += nanoseconds_of(context.lost_seconds);
  }
}

SumNumbers numbers_of(const JobSums& sums) { return std::bit_cast<SumNumbers>(sums); }
JobSums sums_of(const SumNumbers& numbers) { return std::bit_cast<JobSums>(numbers); }

}  // namespace espalier
