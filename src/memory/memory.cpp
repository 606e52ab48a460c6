// SPDX-License-Identifier: Apache-2.0
#include "memory/memory.hpp"

#include <algorithm>

namespace espalier {

namespace {

const ContextMemory* find_in(const std::vector<ContextMemory>& contexts, const ContextKey& key) {
  const auto found = std::ranges::find(contexts, key, &ContextMemory::key);
  return found != contexts.end() ? &*found : nullptr;
}

const ContextMemory* find_with_any_root(const std::vector<ContextMemory>& contexts, ContextKey key) {
  const auto found = std::ranges::find_if(contexts, [&](const ContextMemory& one) {
    key.root = one.key.root;
    return one.key == key;
  });
  return found != contexts.end() ? &*found : nullptr;
}

}  // namespace

Memory::Memory(std::vector<PlacementMemory> at_start) {
  for (PlacementMemory& each : at_start) at_start_.try_emplace(each.placement.fingerprint(), std::move(each));
}

Memory::Known Memory::find(const Placement& placement, const ContextKey& key) const {
  const auto known = at_start_.find(placement.fingerprint());
  if (known == at_start_.end()) return {};
  const auto& [library, its_placement, is_pinned, contexts] = known->second;
  const ContextMemory* found = find_in(contexts, key);
  if (found == nullptr) found = find_with_any_root(contexts, key);
  return {found, found != nullptr && is_pinned};
}

void Memory::learn(const Placement& placement, ContextMemory context) {
  const std::lock_guard lock(mutex_);
  PlacementMemory& memory = learnt_[placement.fingerprint()];
  memory.placement = placement;
  std::erase_if(memory.contexts, [&](const ContextMemory& one) { return one.key == context.key; });
  memory.contexts.push_back(std::move(context));
}

std::vector<PlacementMemory> Memory::learnt() const {
  const std::lock_guard lock(mutex_);
  std::vector<PlacementMemory> all;
  for (const auto& [fingerprint, memory] : learnt_) all.push_back(memory);
  return all;
}

}  // namespace espalier
