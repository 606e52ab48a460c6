// SPDX-License-Identifier: Apache-2.0
#include "policy/record.hpp"

#include <algorithm>
#include <atomic>

namespace espalier {

namespace {

constexpr std::size_t max_blocks = 1024;
// Of all contexts of the process: a block takes some hundred bytes.
constexpr int max_blocks_of_all = 1 << 15;
std::atomic<int> blocks_of_all = 0;

// Also those until the ranks could agree.
std::uint64_t rest_of(const tuning::Plan& plan, const CallsOfBlock& calls) {
  return calls.end - calls.begin - plan.calls.size() * calls.run;
}

}  // namespace

void Record::begin(std::size_t candidates, int baseline, double calls) {
  counts_.assign(candidates, {});
  counts_[tuning::index_of(baseline)].calls = calls;
}

void Record::note_block(const tuning::Plan& plan, const CallsOfBlock& calls, std::span<const double> seconds) {
  for (std::size_t i = 0; i < plan.calls.size(); ++i) {
    Count& count = counts_[tuning::index_of(plan.calls[i])];
    count.calls += static_cast<double>(calls.run);
    if (seconds[i] > 0) count.times.note(seconds[i]);
  }
  counts_[tuning::index_of(plan.incumbent)].calls += static_cast<double>(rest_of(plan, calls));
}

void Record::log_block(const tuning::Plan& plan, const CallsOfBlock& calls, std::span<const double> seconds,
                       const OverheadOfBlock& overhead) {
  if (blocks_.size() == max_blocks || blocks_of_all.fetch_add(1, std::memory_order_relaxed) >= max_blocks_of_all)
    return;
  blocks_.push_back({.begin = calls.begin,
                     .calls = plan.calls,
                     .seconds = {seconds.begin(), seconds.end()},
                     .run = calls.run,
                     .overhead = overhead.each_time,
                     .once = overhead.once,
                     .rest = rest_of(plan, calls),
                     .incumbent = plan.incumbent});
}

void Record::note_agreement(double seconds, double waiting) {
  ++agreements_;
  waiting_seconds_ += waiting;
  agreement_seconds_ += seconds;
}

double Record::calls() const {
  double calls = 0;
  for (const Count& count : counts_) calls += count.calls;
  return calls;
}

}  // namespace espalier
