// SPDX-License-Identifier: Apache-2.0
// For tests: another algorithm at every call. If ranks ever count calls differently, they diverge at once.
#pragma once

#include <vector>

#include "policy/policy.hpp"

namespace espalier {

// The native MPI and then each algorithm that can do it, again and again, each time cut otherwise, and by other leaders
// where nodes have several ranks. A function of problem, shape and ordinal alone.
class InTurnPolicy : public Policy {
 public:
  InTurnPolicy(const Problem& problem, const Shape& shape);

  [[nodiscard]] RunCalls run(std::uint64_t ordinal) override;

 private:
  const Problem problem_;
  const Shape shape_;
  std::vector<const Algorithm*> algorithms_;  // null: the native MPI
};

}  // namespace espalier
