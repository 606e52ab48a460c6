// SPDX-License-Identifier: Apache-2.0
#include "memory/context_key.hpp"

#include <bit>

namespace espalier {

ContextKey context_of(const Problem& problem) {
  ContextKey key{.collective = problem.collective,
                 .root = problem.root,
                 .arithmetic = problem.arithmetic,
                 .is_uneven = problem.is_uneven,
                 .bytes_low = problem.bytes(),
                 .bytes_high = problem.bytes()};
  if (problem.arithmetic != Arithmetic::exact) {
    key.element_bytes = problem.element_bytes;
  } else if (problem.bytes() > 0) {
    key.bytes_low = std::bit_floor(problem.bytes());
    key.bytes_high = key.bytes_low + (key.bytes_low - 1);
  }
  return key;
}

}  // namespace espalier
