// SPDX-License-Identifier: Apache-2.0
// Which calls of a communicator are treated alike by what is chosen by time: a context.
#pragma once

#include "core/problem.hpp"

namespace espalier {

struct ContextKey {
  Collective collective = Collective::barrier;
  Rank root = 0;
  Arithmetic arithmetic = Arithmetic::exact;
  bool is_uneven = false;
  // Of the message, or of a block: sizes within a power of two. Where the order of additions shows in the bits one size
  // alone, of elements that are so long: what is chosen may depend on nothing but the size itself.
  std::size_t bytes_low = 0, bytes_high = 0;  // both included
  std::size_t element_bytes = 0;              // 0: they make no difference

  friend bool operator==(const ContextKey&, const ContextKey&) = default;
};

[[nodiscard]] ContextKey context_of(const Problem& problem);
[[nodiscard]] std::uint64_t hash_of(const ContextKey& key);
// That stands for all sizes of the context.
[[nodiscard]] double typical_bytes(const ContextKey& key);

}  // namespace espalier
