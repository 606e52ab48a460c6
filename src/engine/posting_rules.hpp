// SPDX-License-Identifier: Apache-2.0
// What a schedule says of the order in which its items may be posted, and who must be looked at when one has moved.
//
// Many ranks have the same rules: their schedules differ in their peers only. Who runs all ranks in one process keeps
// them once for all ranks that are alike.
#pragma once

#include <span>
#include <vector>

#include "schedule/items.hpp"

namespace espalier {

class PostingRules {
 public:
  struct Rule {
    std::int32_t items = 0;
    std::uint32_t first_dependency = 0, dependencies = 0;  // in the list of all
    bool communicates = false;
    bool leads = false;  // others keep in step with it
    friend bool operator==(const Rule&, const Rule&) = default;
  };

  // Schedule and items must outlive this.
  PostingRules(const Schedule& schedule, const Items& items, int window);

  [[nodiscard]] std::size_t operations() const { return rules_.size(); }
  [[nodiscard]] const Rule& of(std::uint32_t operation) const { return rules_[operation]; }
  [[nodiscard]] const Dependency& dependency(std::uint32_t k) const { return dependencies_[k]; }
  // How many items of dependency.operation must be done, or posted, before item `item` of `operation`.
  [[nodiscard]] int needed(const Dependency& dependency, std::uint32_t operation, int item) const {
    return items_.needed(dependency, rules_[dependency.operation].items, operation, item, window_);
  }

  // Who must be looked at when items of an operation are done; when all are posted, or one of an operation that leads.
  [[nodiscard]] std::span<const std::uint32_t> after_done(std::uint32_t operation) const {
    return after_done_.of(operation);
  }
  [[nodiscard]] std::span<const std::uint32_t> after_posted(std::uint32_t operation) const {
    return after_posted_.of(operation);
  }

  [[nodiscard]] int window() const { return window_; }
  // Items of one operation that can be under way at once.
  [[nodiscard]] std::uint32_t in_flight() const { return in_flight_; }

  // Whether they say the same; then they have the same hash.
  [[nodiscard]] bool are_like(const PostingRules& other) const;
  [[nodiscard]] std::size_t hash() const;

 private:
  struct Successors {
    std::vector<std::uint32_t> first, operations;
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t operation) const {
      return {operations.data() + first[operation], operations.data() + first[operation + 1]};
    }
  };
  [[nodiscard]] static Successors successors(const Schedule& schedule, bool of_posting);

  std::span<const Dependency> dependencies_;
  const Items& items_;
  int window_;
  std::uint32_t in_flight_ = 1;
  std::vector<Rule> rules_;
  Successors after_done_, after_posted_;
};

}  // namespace espalier
