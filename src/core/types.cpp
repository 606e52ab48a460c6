// SPDX-License-Identifier: Apache-2.0
#include "core/types.hpp"

namespace espalier {

namespace {
constexpr std::string_view names[] = {
#define COLLECTIVE(name) #name,
#include "core/collectives.def"
#undef COLLECTIVE
};
}  // namespace

std::string_view name_of(Collective collective) { return names[static_cast<std::size_t>(collective)]; }

std::optional<Collective> collective_named(std::string_view name) {
  for (const Collective collective : all_collectives) {
    if (name_of(collective) == name) return collective;
  }
  return std::nullopt;
}

}  // namespace espalier
