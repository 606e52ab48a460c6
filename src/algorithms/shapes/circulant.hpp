// SPDX-License-Identifier: Apache-2.0
// The circulant graph on which n blocks can be broadcast in n - 1 + ceil(log2 p) rounds.
// J. L. Träff: Optimal Broadcast Schedules in Logarithmic Time with Applications to Broadcast, All-Broadcast,
// Reduction and All-Reduction, 2024.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace espalier {

// In round i (k = i mod phases) vrank r sends to r + skips[k] and receives from r - skips[k] (mod size).
class Circulant {
 public:
  explicit Circulant(Rank size);

  [[nodiscard]] int phases() const { return static_cast<int>(skips_.size()) - 1; }  // ceil(log2 size)
  [[nodiscard]] Rank skip(int phase) const { return skips_[phase]; }
  [[nodiscard]] Rank after(Rank vrank, int phase) const {
    return wrap(std::int64_t{vrank} + skips_[phase], skips_.back());
  }
  [[nodiscard]] Rank before(Rank vrank, int phase) const {
    return wrap(std::int64_t{vrank} - skips_[phase], skips_.back());
  }

  // Which block vrank `vrank` > 0 receives in each phase, relative to the first block of the current turn of phases:
  // exactly one is not negative (the vrank's base block), the others are the blocks that the turns before left open.
  // What a virtual rank sends is what its receiver expects. Takes O(log size) steps (section 2.3 of the paper).
  [[nodiscard]] std::vector<int> received_blocks(Rank vrank) const;

 private:
  std::vector<Rank> skips_;  // 1 = skips[0] < ... < skips[phases] = size, each about half the next
};

}  // namespace espalier
