// SPDX-License-Identifier: Apache-2.0
// Rings into which the streams of a process go on when their readers are far behind: nobody waits for a reader that has
// yet to come, as nobody does under a native MPI. They are the process's own: it alone hands them out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace espalier {

// Where they lie, as every process of the node sees them.
struct SpareArea {
  static constexpr std::size_t ring_bytes = 64 << 10;

  std::byte* base = nullptr;
  std::uint32_t rings = 0;

  [[nodiscard]] std::byte* at(std::uint32_t ring) const { return base + ring * ring_bytes; }
};

class SpareRings {
 public:
  // None.
  SpareRings() = default;
  explicit SpareRings(const SpareArea& area) : area_(area), before_(area.rings) { free_.reserve(area.rings); }

  // Nothing: all are in use. `before`: the last one that the same stream has; none.
  [[nodiscard]] std::optional<std::uint32_t> take(std::optional<std::uint32_t> before) {
    const std::optional<std::uint32_t> ring = any_free();
    if (ring) before_[*ring] = before;
    return ring;
  }
  // That one, and all that its stream had before.
  void give_back(std::optional<std::uint32_t> ring) {
    for (; ring; ring = before_[*ring]) free_.push_back(*ring);
  }
  [[nodiscard]] std::byte* at(std::uint32_t ring) const { return area_.at(ring); }

 private:
  // Those that were used before come first: they take no new memory.
  [[nodiscard]] std::optional<std::uint32_t> any_free() {
    if (!free_.empty()) {
      const std::uint32_t ring = free_.back();
      free_.pop_back();
      return ring;
    }
    return used_ < area_.rings ? std::optional(used_++) : std::nullopt;
  }

  SpareArea area_;
  std::uint32_t used_ = 0;  // the others have never been touched
  std::vector<std::uint32_t> free_;
  std::vector<std::optional<std::uint32_t>> before_;
};

}  // namespace espalier
