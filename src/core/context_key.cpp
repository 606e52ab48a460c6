// SPDX-License-Identifier: Apache-2.0
#include "core/context_key.hpp"

#include <bit>

#include "core/hash.hpp"

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

double typical_bytes(const ContextKey& key) {
  return (static_cast<double>(key.bytes_low) + static_cast<double>(key.bytes_high)) / 2;
}

std::uint64_t hash_of(const ContextKey& key) {
  std::uint64_t hash = hash_of_nothing;
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(key.collective), static_cast<std::uint64_t>(key.root),
        static_cast<std::uint64_t>(key.arithmetic), std::uint64_t{key.is_uneven}, std::uint64_t{key.bytes_low},
        std::uint64_t{key.bytes_high}, std::uint64_t{key.element_bytes}}) {
    hash = hash_of_number(number, hash);
  }
  return hash;
}

}  // namespace espalier
