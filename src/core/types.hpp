// SPDX-License-Identifier: Apache-2.0
// The few words that every part shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier {

using Rank = std::int32_t;

// Which of the streams of messages between two ranks: those of one channel are matched in order.
using Channel = std::uint8_t;

// How a message travels, where there is a choice: 0 if it does not matter, k by the k-th NIC rather than by others.
// Both sides of a channel name the same one.
using Path = std::uint8_t;

// By this NIC, counted from 0, and no other, as long as it works: others have their share of their own. What a run
// sends by it leaves in the order in which it is sent.
[[nodiscard]] constexpr Path only_by(int nic) { return static_cast<Path>(0x80 | nic); }
[[nodiscard]] constexpr bool names_one_nic(Path path) { return (path & 0x80) != 0; }
[[nodiscard]] constexpr int nic_of(Path path) { return path & 0x7F; }
// Piece by piece over all NICs, in order with what goes by one of them alone.
inline constexpr Path by_all_in_turn = 0x7E;
// Whether messages are distributed among NICs by a plan: the receiver, which need not know by which, names all.
[[nodiscard]] constexpr bool is_planned(Path path) { return names_one_nic(path) || path == by_all_in_turn; }

// Past all NICs of ours, by the native MPI: both sides of a channel know it.
inline constexpr Path over_mpi = 0x7F;

inline constexpr Rank no_rank = -1;

// By what messages between hosts travel: the native MPI's point-to-point functions, or libfabric's remote writes.
enum class Transport : std::uint8_t { mpi, fabric };
enum class Transports : std::uint8_t { mpi, either, fabric };  // that there are

// A channel takes a tag of its own in each call, so this bounds the tags that a call needs.
inline constexpr int max_channels = 62;

enum class Collective : std::uint8_t {
#define COLLECTIVE(name) name,
#include "core/collectives.def"
#undef COLLECTIVE
};
inline constexpr Collective all_collectives[] = {
#define COLLECTIVE(name) Collective::name,
#include "core/collectives.def"
#undef COLLECTIVE
};

[[nodiscard]] std::string_view name_of(Collective collective);
[[nodiscard]] std::optional<Collective> collective_named(std::string_view name);

// The remainder that lies in [0, modulus), also for a negative value.
[[nodiscard]] constexpr int wrap(std::int64_t value, int modulus) {
  const auto remainder = static_cast<int>(value % modulus);
  return remainder < 0 ? remainder + modulus : remainder;
}

}  // namespace espalier
