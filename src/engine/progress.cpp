// SPDX-License-Identifier: Apache-2.0
#include "engine/progress.hpp"

namespace espalier {

Progress::Progress(const Schedule& schedule, const Items& items, int window)
    : schedule_(schedule),
      items_(items),
      window_(window),
      states_(schedule.operations.size()),
      after_done_(successors(schedule, false)),
      after_posted_(successors(schedule, true)) {
  int longest = 1;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    states_[k].items = items.count(static_cast<std::uint32_t>(k));
    states_[k].communicates = schedule.operations[k].communicates();
    states_[k].first_dependency = schedule.operations[k].first_dependency;
    states_[k].dependencies = schedule.operations[k].dependency_count;
    if (states_[k].communicates) longest = std::max(longest, states_[k].items);
  }
  for (const Dependency& dependency : schedule.dependencies) {
    if (dependency.kind == Dependency::Kind::in_step) states_[dependency.operation].leads = true;
  }
  in_flight_ = static_cast<std::uint32_t>(std::min(window, longest));
  completed_.resize(tokens());
  messages_.reserve(states_.size());
  local_.reserve(states_.size());
}

// The lowest number comes last, so that it ends up on top of its stack: builders record first what is needed first.
Progress::Successors Progress::successors(const Schedule& schedule, bool of_posting) {
  const auto concerned = [&](const Dependency& dependency) { return dependency.is_of_posting() == of_posting; };
  const std::size_t count = schedule.operations.size();
  Successors result{std::vector<std::uint32_t>(count + 1), {}};
  for (const Dependency& dependency : schedule.dependencies) {
    if (concerned(dependency)) ++result.first[dependency.operation + 1];
  }
  for (std::size_t k = 0; k < count; ++k) result.first[k + 1] += result.first[k];
  result.operations.resize(result.first[count]);
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  for (std::size_t k = count; k-- > 0;) {
    for (const Dependency& dependency : schedule.dependencies_of(schedule.operations[k])) {
      if (concerned(dependency)) result.operations[next[dependency.operation]++] = static_cast<std::uint32_t>(k);
    }
  }
  return result;
}

// Only what can be posted at once is put on the stacks; everything else is woken by what it waits for.
void Progress::restart() {
  unfinished_ = 0;
  messages_.clear();
  local_.clear();
  std::fill(completed_.begin(), completed_.end(), char{0});
  for (Counters& state : states_) {
    state.posted = state.done = 0;
    state.unmet = 0;
    state.queued = false;
    if (state.items > 0) ++unfinished_;
  }
  for (std::size_t k = states_.size(); k-- > 0;) {
    if (may_post(static_cast<std::uint32_t>(k))) wake(static_cast<std::uint32_t>(k));
  }
}

}  // namespace espalier
