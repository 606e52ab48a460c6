// SPDX-License-Identifier: Apache-2.0
#include "core/types.hpp"

#include <array>

namespace espalier {

namespace {
constexpr std::array<std::string_view, 4> names = {"bcast", "reduce", "allreduce", "barrier"};
}

std::string_view name_of(Collective collective) { return names[static_cast<std::size_t>(collective)]; }

std::optional<Collective> collective_named(std::string_view name) {
  for (const Collective collective : all_collectives) {
    if (name_of(collective) == name) return collective;
  }
  return std::nullopt;
}

}  // namespace espalier
