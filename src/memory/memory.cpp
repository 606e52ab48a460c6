// SPDX-License-Identifier: Apache-2.0
#include "memory/memory.hpp"

#include <algorithm>
#include <set>

#include "core/reversed.hpp"

namespace espalier {

namespace {

// But for the root.
bool holds_for(const ContextKey& known, const ContextKey& key) {
  return known.collective == key.collective && known.arithmetic == key.arithmetic && known.is_uneven == key.is_uneven &&
         known.bytes_low <= key.bytes_low && key.bytes_high <= known.bytes_high &&
         (known.element_bytes == 0 || known.element_bytes == key.element_bytes);
}

// The lower, the better it fits.
int distance(const ContextKey& known, const ContextKey& key) {
  if (known == key) return 0;
  return known.root == key.root ? 1 : 2;
}

// Of those that fit as well the first.
template <class Contexts>
const ContextMemory* find_in(const Contexts& contexts, const ContextKey& key) {
  const ContextMemory* best = nullptr;
  for (const ContextMemory& one : contexts) {
    if (!holds_for(one.key, key)) continue;
    if (best == nullptr || distance(one.key, key) < distance(best->key, key)) best = &one;
  }
  return best;
}

std::vector<ContextMemory> last_of_each(const std::vector<ContextMemory>& contexts) {
  std::vector<ContextMemory> last;
  std::set<std::uint64_t> known;
  for (const ContextMemory& one : reversed(contexts)) {
    if (known.insert(hash_of(one.key)).second) last.push_back(one);
  }
  std::ranges::reverse(last);
  return last;
}

}  // namespace

Memory::Memory(std::vector<PlacementMemory> at_start) {
  for (PlacementMemory& each : at_start) {
    at_start_[each.placement.fingerprint()].push_back(std::move(each));
  }
}

Memory::Known Memory::find(const Placement& placement, const ContextKey& key) const {
  const auto known = at_start_.find(placement.fingerprint());
  if (known == at_start_.end()) return {};
  for (const PlacementMemory& memory : known->second) {
    if (const ContextMemory* const found = find_in(memory.contexts, key)) return {found, memory.is_pinned};
  }
  return {};
}

bool Memory::has_laws() const {
  return std::ranges::any_of(at_start_, [](const auto& of_placement) {
    return std::ranges::any_of(of_placement.second, &PlacementMemory::is_pinned);
  });
}

// Programs may make communicators, and messages of all sizes, without end.
void Memory::learn(const Placement& placement, ContextMemory context) {
  constexpr std::size_t max_placements = 256;
  const std::lock_guard lock(mutex_);
  const std::uint64_t fingerprint = placement.fingerprint();
  if (learnt_.size() == max_placements && !learnt_.contains(fingerprint)) return;
  PlacementMemory& memory = learnt_[fingerprint];
  memory.placement = placement;
  context.members = placement.members;
  std::erase_if(memory.contexts,
                [&](const ContextMemory& one) { return one.key == context.key && one.members == context.members; });
  if (memory.contexts.size() == max_contexts) memory.contexts.erase(memory.contexts.begin());
  memory.contexts.push_back(std::move(context));
}

std::optional<ContextMemory> Memory::learnt(const Placement& placement, const ContextKey& key) const {
  const std::lock_guard lock(mutex_);
  const auto memory = learnt_.find(placement.fingerprint());
  if (memory == learnt_.end()) return std::nullopt;
  const ContextMemory* const found = find_in(reversed(memory->second.contexts), key);
  return found != nullptr ? std::optional(*found) : std::nullopt;
}

void Memory::offer_at_start(const Placement& placement, OtherSizes& sizes) const {
  const auto known = at_start_.find(placement.fingerprint());
  if (known == at_start_.end()) return;
  for (const PlacementMemory& memory : known->second) {
    for (const ContextMemory& one : memory.contexts) sizes.offer(one);
  }
}

std::vector<ContextMemory> Memory::other_sizes_at_start(const Placement& placement, const ContextKey& key) const {
  OtherSizes sizes(key);
  offer_at_start(placement, sizes);
  return sizes.nearest();
}

// What was learnt last is offered first.
std::vector<ContextMemory> Memory::other_sizes(const Placement& placement, const ContextKey& key) const {
  OtherSizes sizes(key);
  const std::lock_guard lock(mutex_);
  if (const auto memory = learnt_.find(placement.fingerprint()); memory != learnt_.end()) {
    for (const ContextMemory& one : reversed(memory->second.contexts)) {
      if (one.members == placement.members) sizes.offer(one);
    }
  }
  offer_at_start(placement, sizes);
  return sizes.nearest();
}

std::vector<PlacementMemory> Memory::learnt() const {
  const std::lock_guard lock(mutex_);
  std::vector<PlacementMemory> all;
  for (const auto& [fingerprint, memory] : learnt_) {
    all.push_back({memory.library, memory.placement, memory.is_pinned, last_of_each(memory.contexts)});
  }
  return all;
}

}  // namespace espalier
