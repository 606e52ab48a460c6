// SPDX-License-Identifier: Apache-2.0
// What is to be proved: one collective among so many ranks, with all that may differ from rank to rank.
#pragma once

#include "core/types.hpp"

namespace espalier {

struct Case {
  // Whose input lies in the output buffer. A rank's `in_place` is local knowledge, so ranks may differ (`mixed`).
  enum class InPlace : std::uint8_t { none, all, mixed };

  Collective collective = Collective::barrier;
  Rank size = 1;
  Rank root = 0;
  InPlace in_place = InPlace::none;
  bool needs_rank_order = false;  // the operands must stand in rank order: the operation does not commute

  // As a schedule's builder is told: a broadcast is always in place; only the root of a reduction can be.
  [[nodiscard]] bool in_place_at(Rank rank) const;
  // Has this rank an output buffer?
  [[nodiscard]] bool has_output(Rank rank) const { return collective != Collective::reduce || rank == root; }
  // Does this rank's input mean anything?
  [[nodiscard]] bool contributes(Rank rank) const { return collective != Collective::bcast || rank == root; }
};

inline bool Case::in_place_at(Rank rank) const {
  if (collective == Collective::bcast) return true;
  if (!has_output(rank) || in_place == InPlace::none) return false;
  return in_place == InPlace::all || collective == Collective::reduce || rank % 2 == 1;
}

}  // namespace espalier
