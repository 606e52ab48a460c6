// SPDX-License-Identifier: Apache-2.0
// A message is written in pieces, each over the lane that has room for it; so they arrive in any order. The pieces of
// one stream (all messages of a run from one rank to another on one channel) are numbered from 0.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/types.hpp"

namespace espalier {

inline constexpr std::size_t max_piece_bytes = std::size_t{64} << 10;
// Shorter ones cost more than several lanes gain, by a plan for them.
inline constexpr std::size_t min_planned_piece_bytes = std::size_t{4} << 10;

// Into how many pieces of which length a message is cut: equal at both ends, as both know its length and whether its
// path is planned. Without bytes, it is still one piece. Pieces are of one length, and long messages have enough of
// them for all lanes of a host as most have them; those that are distributed by a plan sooner, as they have nothing
// else that keeps all lanes busy.
struct Pieces {
  constexpr Pieces(std::size_t message_bytes, Path path) {
    constexpr std::size_t lanes = 4, line = 64;
    const std::size_t least = is_planned(path) ? min_planned_piece_bytes : max_piece_bytes;
    const std::size_t even = std::min(lanes, message_bytes / least);
    count = std::max({std::size_t{1}, even, (message_bytes + max_piece_bytes - 1) / max_piece_bytes});
    bytes = std::min(max_piece_bytes, ((message_bytes + count - 1) / count + line - 1) / line * line);
  }
  std::size_t count = 1, bytes = 0;
};

// By a plan, only longer messages can go by several lanes.
inline constexpr std::size_t longest_in_one_piece = 2 * min_planned_piece_bytes - 1;
static_assert(Pieces(longest_in_one_piece, by_all_in_turn).count == 1);
static_assert(Pieces(longest_in_one_piece + 1, by_all_in_turn).count == 2);

// The 64 bits that go along with a piece.
struct Immediate {
  static constexpr int piece_bits = 12;  // more than a receiver may have to distinguish
  static constexpr std::uint64_t piece_mask = (std::uint64_t{1} << piece_bits) - 1;
  static constexpr std::uint64_t inlet_mask = ~std::uint64_t{0} >> piece_bits;

  std::uint64_t inlet = 0;  // of the receiver: where it is expected
  std::uint64_t piece = 0;  // its number, modulo 2^piece_bits

  [[nodiscard]] static constexpr std::uint64_t pack(std::uint64_t inlet, std::uint64_t piece) {
    return inlet << piece_bits | (piece & piece_mask);
  }
  [[nodiscard]] static constexpr Immediate unpack(std::uint64_t bits) {
    return {bits >> piece_bits, bits & piece_mask};
  }
};

// Which pieces of a stream are done. Told in any order, but never further than `reach` beyond the first one that is
// not.
class Prefix {
 public:
  static constexpr std::uint64_t reach = 1024;
  // A sender goes no further beyond the first piece that it does not know to have arrived: the receiver may be behind
  // by what it has not taken from its queues.
  static constexpr std::uint64_t max_ahead = reach / 2;

  // All before this one are done.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] bool has(std::uint64_t piece) const {
    return piece < count_ || (piece < count_ + reach && (word(piece) >> (piece % 64) & 1) != 0);
  }
  // False if that was known, or cannot be.
  bool add(std::uint64_t piece) {
    if (piece >= count_ + reach || has(piece)) return false;
    word(piece) |= std::uint64_t{1} << (piece % 64);
    while ((word(count_) >> (count_ % 64) & 1) != 0) {
      word(count_) &= ~(std::uint64_t{1} << (count_ % 64));
      ++count_;
    }
    return true;
  }
  // The number of which only the lowest bits came.
  [[nodiscard]] std::uint64_t number_of(std::uint64_t low_bits) const {
    return count_ + ((low_bits - count_) & Immediate::piece_mask);
  }
  void restart() { *this = {}; }

 private:
  [[nodiscard]] std::uint64_t& word(std::uint64_t piece) { return bits_[piece / 64 % bits_.size()]; }
  [[nodiscard]] std::uint64_t word(std::uint64_t piece) const { return bits_[piece / 64 % bits_.size()]; }

  std::uint64_t count_ = 0;
  std::array<std::uint64_t, reach / 64> bits_{};  // of those from count_ on
};

}  // namespace espalier
