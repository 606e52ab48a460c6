// SPDX-License-Identifier: Apache-2.0
#include "mpi/pairs/missing_end.hpp"

#include <algorithm>
#include <utility>

namespace espalier {

MissingEnd::Step MissingEnd::look(Clock::time_point now, PairAnswer answer, Seconds timeout) {
  if (!std::exchange(has_begun_, true)) asked_ = alone_since_ = now;
  if (answer == PairAnswer::other_length) return {.finding = Finding::other_length};
  if (answer != PairAnswer::none_like_it) alone_since_ = now;
  if (now - alone_since_ > timeout) return {.finding = Finding::none_in_time};
  Step step;
  if (now - alone_since_ > std::min(time_to_log, timeout) && !std::exchange(has_logged_, true)) {
    step.finding = Finding::none_as_yet;
  }
  step.asks = now - asked_ > time_to_ask;
  if (step.asks) asked_ = now;
  return step;
}

}  // namespace espalier
