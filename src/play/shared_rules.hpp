// SPDX-License-Identifier: Apache-2.0
// The rules of posting of many ranks, kept once for all that are alike: those of a torus of 80,000 nodes are of a few
// kinds, and then lie in the cache, as no rank's own memory can.
#pragma once

#include <memory>
#include <unordered_map>

#include "engine/posting_rules.hpp"

namespace espalier {

class SharedRules {
 public:
  // Schedule and items must outlive all that use the rules, as those of the first rank stand for all that are alike.
  std::shared_ptr<const PostingRules> for_rank(const Schedule& schedule, const Items& items, int window) {
    PostingRules rules(schedule, items, window);
    const std::size_t hash = rules.hash();
    auto [known, last] = rules_.equal_range(hash);
    for (; known != last; ++known) {
      if (known->second->are_like(rules)) return known->second;
    }
    return rules_.emplace(hash, std::make_shared<const PostingRules>(std::move(rules)))->second;
  }

  [[nodiscard]] std::size_t kinds() const { return rules_.size(); }

 private:
  std::unordered_multimap<std::size_t, std::shared_ptr<const PostingRules>> rules_;
};

}  // namespace espalier
