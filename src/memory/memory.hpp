// SPDX-License-Identifier: Apache-2.0
// What is known of how long collectives take: what was read at the start of the job, equal on all ranks and never
// changed, and what this process has learnt since.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "memory/memory_text.hpp"
#include "memory/other_sizes.hpp"

namespace espalier {

class Memory {
 public:
  Memory() = default;
  // Of several of one placement each knows what those before it do not.
  explicit Memory(std::vector<PlacementMemory> at_start);

  // From the start: of the context itself, or of one that holds for its sizes, too, as a user may have written, or of
  // another root. Null: nothing.
  struct Known {
    const ContextMemory* context = nullptr;
    bool is_law = false;
  };
  [[nodiscard]] Known find(const Placement& placement, const ContextKey& key) const;

  // What is known of such calls of other sizes, some smaller and some larger ones: from the start.
  [[nodiscard]] std::vector<ContextMemory> other_sizes_at_start(const Placement& placement,
                                                                const ContextKey& key) const;

  // Whether a user has pinned anything that was read at the start.
  [[nodiscard]] bool has_laws() const;

  // From any thread; what these ranks have learnt before of the context is forgotten.
  void learn(const Placement& placement, ContextMemory context);
  [[nodiscard]] std::vector<PlacementMemory> learnt() const;  // of each context the last
  // What fits best of it; other ranks may have learnt something else.
  [[nodiscard]] std::optional<ContextMemory> learnt(const Placement& placement, const ContextKey& key) const;
  // As from the start, and what the same ranks have learnt since. What others learn is hardly ever known to all of
  // them.
  [[nodiscard]] std::vector<ContextMemory> other_sizes(const Placement& placement, const ContextKey& key) const;

 private:
  void offer_at_start(const Placement& placement, OtherSizes& sizes) const;

  std::map<std::uint64_t, std::vector<PlacementMemory>> at_start_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, PlacementMemory> learnt_;
};

}  // namespace espalier
