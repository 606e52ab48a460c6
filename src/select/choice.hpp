// SPDX-License-Identifier: Apache-2.0
// What is done with a call: the native MPI, or one of our algorithms with its parameters.
#pragma once

#include <string>

#include "core/problem.hpp"

namespace espalier {

struct Algorithm;  // algorithms/algorithm.hpp

struct Parameters {
  std::size_t segment_bytes = 0;  // 0: messages are not segmented
  int window = 4;                 // items under way at once, per operation
  int radix = 2;                  // of a k-nomial tree
  friend bool operator==(const Parameters&, const Parameters&) = default;
};

struct Choice {
  const Algorithm* algorithm = nullptr;  // null: the native MPI
  Parameters parameters;
  const char* reason = "";  // static text, for reports: why this was chosen

  [[nodiscard]] bool native() const { return algorithm == nullptr; }
};

}  // namespace espalier
