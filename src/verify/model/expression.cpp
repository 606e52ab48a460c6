// SPDX-License-Identifier: Apache-2.0
#include "verify/model/expression.hpp"

#include <algorithm>

#include "core/hash.hpp"

namespace espalier {

Expressions::Expressions(Rank ranks) : words_((static_cast<std::size_t>(ranks) + 63) / 64) {
  contributors_.resize(static_cast<std::size_t>(ranks) * words_);
  for (Rank rank = 0; rank < ranks; ++rank) {
    const std::uint64_t hash = mix(static_cast<std::uint64_t>(rank) + 1);
    nodes_.push_back({none, none, rank, rank, rank + 1, false, hash, hash});
    contributors_[static_cast<std::size_t>(rank) * words_ + static_cast<std::size_t>(rank) / 64] = std::uint64_t{1}
                                                                                                   << (rank % 64);
  }
}

Expressions::Id Expressions::join(Id left, Id right) {
  const auto [found, is_new] = joined_.try_emplace(std::uint64_t{left} << 32 | right, static_cast<Id>(nodes_.size()));
  if (!is_new) return found->second;

  Term node{left, right};
  const Term& a = nodes_[left];
  const Term& b = nodes_[right];
  if (a.high > 0 && a.high == b.low) {
    node.low = a.low;
    node.high = b.high;
  }
  const auto [low, high] = std::minmax(a.commutative_hash, b.commutative_hash);
  node.hash = mix(a.hash * 3 + mix(b.hash));
  node.commutative_hash = mix(low * 5 + mix(high));
  node.repeats = a.repeats || b.repeats;
  for (std::size_t k = 0; k < words_; ++k) {
    const std::uint64_t in_left = contributors_[left * words_ + k], in_right = contributors_[right * words_ + k];
    node.repeats = node.repeats || (in_left & in_right) != 0;
    contributors_.push_back(in_left | in_right);
  }
  nodes_.push_back(node);
  return found->second;
}

}  // namespace espalier
