// SPDX-License-Identifier: Apache-2.0
// The few words that every part shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace espalier {

using Rank = std::int32_t;
using Lane = std::uint8_t;

inline constexpr Rank no_rank = -1;

// One lane is one tag of a call, so this bounds the tags that a call needs.
inline constexpr int max_lanes = 63;

enum class Collective : std::uint8_t { bcast, reduce, allreduce, barrier };
inline constexpr Collective all_collectives[] = {Collective::bcast, Collective::reduce, Collective::allreduce,
                                                 Collective::barrier};

[[nodiscard]] std::string_view name_of(Collective collective);
[[nodiscard]] std::optional<Collective> collective_named(std::string_view name);

[[nodiscard]] constexpr bool is_rooted(Collective collective) {
  return collective == Collective::bcast || collective == Collective::reduce;
}
[[nodiscard]] constexpr bool reduces(Collective collective) {
  return collective == Collective::reduce || collective == Collective::allreduce;
}

// The remainder that lies in [0, modulus), also for a negative value.
[[nodiscard]] constexpr int wrap(std::int64_t value, int modulus) {
  const auto remainder = static_cast<int>(value % modulus);
  return remainder < 0 ? remainder + modulus : remainder;
}

}  // namespace espalier
