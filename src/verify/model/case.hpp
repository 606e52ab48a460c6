// SPDX-License-Identifier: Apache-2.0
// What is to be proved: one collective among this many ranks, with all that may differ from rank to rank.
#pragma once

#include "contract/contract.hpp"

namespace espalier {

struct Case {
  // Whose input lies in the output buffer. A rank's `in_place` is local knowledge, so ranks may differ (`mixed`).
  enum class InPlaceAt : std::uint8_t { none, all, mixed };

  Collective collective = Collective::barrier;
  Rank size = 1;
  Rank root = 0;
  InPlaceAt in_place = InPlaceAt::none;
  bool needs_rank_order = false;  // the operands must stand in rank order: the operation does not commute

  [[nodiscard]] const Contract& contract() const { return contract_of(collective); }
  [[nodiscard]] bool has_output(Rank rank) const { return contract().has_output(rank, root); }
  // Does this rank's input mean anything?
  [[nodiscard]] bool contributes(Rank rank) const { return contract().has_input(rank, root); }
  // As a schedule's builder is told.
  [[nodiscard]] bool in_place_at(Rank rank) const;

  // What the buffers of a rank hold, where a message is cut in this many blocks.
  [[nodiscard]] Held input(Rank rank, int blocks) const {
    return contributes(rank) ? held_by(contract(), contract().input, rank, size, blocks) : Held{};
  }
  [[nodiscard]] Held output(Rank rank, int blocks) const {
    return has_output(rank) ? held_by(contract(), contract().output, rank, size, blocks) : Held{};
  }
  // Where in the output buffer a block of the input lies, if the rank is in place.
  [[nodiscard]] int place_in_output(Rank rank, int label, int blocks) const {
    const bool is_elsewhere = contract().in_place == InPlace::other_place;
    return (is_elsewhere ? input(rank, blocks) : output(rank, blocks)).place_of(label);
  }
  [[nodiscard]] RankRange sources(Rank rank, int label) const {
    return sources_of(contract(), label, rank, root, size);
  }
};

inline bool Case::in_place_at(Rank rank) const {
  if (contract().in_place == InPlace::always) return true;
  if (contract().in_place == InPlace::stays) return false;  // to a schedule it makes no difference
  if (!has_output(rank) || in_place == InPlaceAt::none) return false;
  return in_place == InPlaceAt::all || contract().output_at == Holder::root || rank % 2 == 1;
}

}  // namespace espalier
