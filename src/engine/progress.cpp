// SPDX-License-Identifier: Apache-2.0
#include "engine/progress.hpp"

namespace espalier {

Progress::Progress(std::shared_ptr<const PostingRules> rules)
    : rules_(std::move(rules)), states_(rules_->operations()) {
  messages_.reserve(states_.size());
  local_.reserve(states_.size());
  completed_.resize(tokens());
}

// Only what can be posted at once is put on the stacks; everything else is woken by what it waits for.
void Progress::restart() {
  unfinished_ = 0;
  messages_.clear();
  local_.clear();
  std::fill(completed_.begin(), completed_.end(), char{0});
  std::fill(states_.begin(), states_.end(), Counters{});
  for (std::uint32_t k = 0; k < states_.size(); ++k) {
    if (rules_->of(k).items > 0) ++unfinished_;
  }
  for (std::size_t k = states_.size(); k-- > 0;) {
    if (may_post(static_cast<std::uint32_t>(k))) wake(static_cast<std::uint32_t>(k));
  }
}

}  // namespace espalier
