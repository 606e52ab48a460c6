// SPDX-License-Identifier: Apache-2.0
#include "memory/other_sizes.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

constexpr std::size_t max_of_a_side = 4;  // farther away, they hardly tell more than an estimate

// Who is the root makes little difference.
bool is_like(const ContextKey& known, const ContextKey& key) {
  return known.collective == key.collective && known.arithmetic == key.arithmetic && known.is_uneven == key.is_uneven &&
         (known.element_bytes == 0 || known.element_bytes == key.element_bytes);
}

}  // namespace

void OtherSizes::offer(const ContextMemory& context) {
  if (!is_like(context.key, key_)) return;
  const double bytes = typical_bytes(context.key), here = typical_bytes(key_);
  if (bytes == 0 || here == 0 || bytes == here) return;
  offer_to(bytes < here ? smaller_ : larger_, context);
}

void OtherSizes::offer_to(Nearest& nearest, const ContextMemory& context) const {
  const auto distance = [this](const ContextMemory& one) {
    return std::abs(typical_bytes(one.key) - typical_bytes(key_));
  };
  const auto place =
      std::ranges::find_if(nearest, [&](const ContextMemory* other) { return distance(*other) >= distance(context); });
  if (place != nearest.end() && distance(**place) == distance(context)) {
    if ((*place)->key.root != key_.root && context.key.root == key_.root) *place = &context;
    return;
  }
  nearest.insert(place, &context);
  if (nearest.size() > max_of_a_side) nearest.pop_back();
}

std::vector<ContextMemory> OtherSizes::nearest() const {
  std::vector<ContextMemory> copies;
  copies.reserve(smaller_.size() + larger_.size());
  for (const Nearest* side : {&smaller_, &larger_}) {
    for (const ContextMemory* one : *side)
      copies.push_back({.key = one->key, .calls = one->calls, .known_algorithms = one->known_algorithms});
  }
  return copies;
}

}  // namespace espalier
