// SPDX-License-Identifier: Apache-2.0
#include "policy/by_arrival.hpp"

#include <algorithm>

#include "tuning/evidence/same_bits.hpp"

namespace espalier {

namespace {

constexpr std::size_t max_by_arrival = 4;
constexpr double worth_it = .95;     // of the time without
constexpr double estimate_sd = .35;  // of the model

bool is_by_arrival(const Alternative& one) { return one.choice.by_arrival; }

using tuning::log_of;

// Only candidates whose ranks gain by being arranged.
std::vector<Alternative> arranged(Arranger& arranger, const std::vector<Alternative>& alternatives) {
  std::vector<Alternative> found;
  for (const Alternative& each : alternatives) {
    if (is_by_arrival(each)) continue;
    Choice choice = each.choice;
    const auto without = arranger.expected_seconds(choice);
    choice.by_arrival = true;
    const auto with = arranger.expected_seconds(choice);
    if (with && *with < worth_it * *without) found.push_back({choice, {log_of(*with), estimate_sd}});
  }
  std::ranges::stable_sort(found, {}, [](const Alternative& one) { return one.estimate.log_seconds; });
  return found;
}

}  // namespace

void add_by_arrival(Arranger& arranger, std::vector<Alternative>& alternatives) {
  auto count = static_cast<std::size_t>(std::ranges::count_if(alternatives, is_by_arrival));
  for (const Alternative& each : arranged(arranger, alternatives)) {
    const bool is_there = std::ranges::find(alternatives, each.choice, &Alternative::choice) != alternatives.end();
    if (is_there || count == max_by_arrival) continue;
    alternatives.push_back(each);
    ++count;
  }
}

void expect_by_arrival(Arranger& arranger, std::vector<Alternative>& alternatives,
                       const std::function<bool(const Choice&)>& is_known) {
  for (Alternative& each : alternatives) {
    if (is_known(each.choice)) continue;
    if (const auto seconds = arranger.expected_seconds(each.choice)) each.estimate = {log_of(*seconds), estimate_sd};
  }
}

}  // namespace espalier
