// SPDX-License-Identifier: Apache-2.0
// What is done with a call: the native MPI, or one of our algorithms with its parameters.
#pragma once

#include <string>

#include "core/cut.hpp"
#include "core/problem.hpp"

namespace espalier {

struct Algorithm;  // algorithms/algorithm.hpp

struct Choice {
  const Algorithm* algorithm = nullptr;  // null: the native MPI
  Cut cut;
  int radix = 2;            // of a k-nomial tree
  const char* reason = "";  // static text, for reports: why this was chosen

  [[nodiscard]] bool native() const { return algorithm == nullptr; }
};

}  // namespace espalier
