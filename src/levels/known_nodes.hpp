// SPDX-License-Identifier: Apache-2.0
// The descriptions that are part of Espalier: its TOML files in levels, which the build puts into the program.
#pragma once

#include <span>
#include <string_view>

namespace espalier {

struct KnownText {
  std::string_view name;  // "epyc-7742"
  std::string_view text;
};

// Nodes, by name.
[[nodiscard]] std::span<const KnownText> known_nodes();
// What others have published of them.
[[nodiscard]] KnownText published_times();

}  // namespace espalier
