// SPDX-License-Identifier: Apache-2.0
// Which of the contexts that are remembered are like another one but for their size: the nearest ones.
#pragma once

#include <vector>

#include "memory/memory_text.hpp"

namespace espalier {

class OtherSizes {
 public:
  explicit OtherSizes(const ContextKey& key) : key_(key) {}

  // It must outlive this. Of those of one size the first of the same root counts, or else the first.
  void offer(const ContextMemory& context);

  // Copies, for decisions: without what was observed.
  [[nodiscard]] std::vector<ContextMemory> nearest() const;

 private:
  using Nearest = std::vector<const ContextMemory*>;
  void offer_to(Nearest& nearest, const ContextMemory& context) const;

  const ContextKey key_;
  Nearest smaller_, larger_;  // the nearest first
};

}  // namespace espalier
