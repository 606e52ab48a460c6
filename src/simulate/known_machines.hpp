// SPDX-License-Identifier: Apache-2.0
// The machines that are part of Espalier: simulate/machines/*.toml, which the build puts into the program. A new file
// is known after the next configuration.
#pragma once

#include <span>
#include <string_view>

namespace espalier {

struct KnownMachine {
  std::string_view file;  // "k-48x6x32"
  std::string_view text;
};

// By name.
[[nodiscard]] std::span<const KnownMachine> known_machines();

}  // namespace espalier
