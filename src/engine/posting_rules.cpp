// SPDX-License-Identifier: Apache-2.0
#include "engine/posting_rules.hpp"

#include <algorithm>

namespace espalier {

PostingRules::PostingRules(const Schedule& schedule, const Items& items, int window)
    : dependencies_(schedule.dependencies),
      items_(items),
      window_(window),
      rules_(schedule.operations.size()),
      after_done_(successors(schedule, false)),
      after_posted_(successors(schedule, true)) {
  int longest = 1;
  for (std::size_t k = 0; k < rules_.size(); ++k) {
    const Operation& operation = schedule.operations[k];
    rules_[k] = {.items = items.count(static_cast<std::uint32_t>(k)),
                 .first_dependency = operation.first_dependency,
                 .dependencies = operation.dependency_count,
                 .communicates = operation.communicates()};
    if (operation.communicates()) longest = std::max(longest, rules_[k].items);
  }
  for (const Dependency& dependency : dependencies_) {
    if (dependency.kind == Dependency::Kind::in_step) rules_[dependency.operation].leads = true;
  }
  in_flight_ = static_cast<std::uint32_t>(std::min(window, longest));
}

// The lowest number comes last, so that it ends up on top of its stack: builders record first what is needed first.
PostingRules::Successors PostingRules::successors(const Schedule& schedule, bool of_posting) {
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

bool PostingRules::are_like(const PostingRules& other) const {
  return window_ == other.window_ && rules_ == other.rules_ && items_ == other.items_ &&
         std::ranges::equal(dependencies_, other.dependencies_);
}

std::size_t PostingRules::hash() const {
  std::size_t hash = rules_.size();
  const auto add = [&hash](auto value) { hash = hash * 1099511628211U + static_cast<std::size_t>(value); };
  for (const Rule& rule : rules_) {
    add(rule.items);
    add(rule.communicates);
  }
  for (const Dependency& dependency : dependencies_) {
    add(dependency.operation);
    add(dependency.shift);
    add(dependency.kind);
  }
  return hash;
}

}  // namespace espalier
