// SPDX-License-Identifier: Apache-2.0
#include "simulate/command/laggards.hpp"

#include <algorithm>
#include <utility>

namespace espalier::tool {

namespace {

constexpr double far_behind = 4;     // times as long, by its best cut
constexpr double catching_up = 0.8;  // of what it was at the size before

void keep_least(double& least, double seconds) { least = least == 0 ? seconds : std::min(least, seconds); }

}  // namespace

double Laggards::AtSize::times_plain(const Algorithm* algorithm) const {
  const auto found = seconds.find(algorithm);
  return found == seconds.end() || plain_seconds == 0 ? 0 : found->second / plain_seconds;
}

// Where sizes do not ascend, nothing follows for the next.
void Laggards::begin(std::size_t bytes) {
  if (bytes < now_.bytes || now_.bytes < before_.bytes) lagging_.clear();
  for (const auto& [algorithm, seconds] : now_.seconds) {
    const double former = before_.times_plain(algorithm), times = now_.times_plain(algorithm);
    const bool ascends = before_.bytes < now_.bytes && now_.bytes < bytes;
    if (ascends && former >= far_behind && times >= far_behind && times > catching_up * former)
      lagging_.insert(algorithm);
  }
  before_ = std::exchange(now_, AtSize{bytes, 0, {}});
}

bool Laggards::leave_out(const SimulatedCall& call) {
  if (call.problem.bytes() != now_.bytes) begin(call.problem.bytes());
  return !call.is_chosen && lagging_.contains(call.choice.algorithm);
}

void Laggards::note(const SimulatedCall& call, double seconds) {
  keep_least(now_.seconds[call.choice.algorithm], seconds);
  if (call.is_plain) keep_least(now_.plain_seconds, seconds);
}

}  // namespace espalier::tool
