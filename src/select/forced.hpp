// SPDX-License-Identifier: Apache-2.0
// Settings checked against the registry: the place where the names of algorithms get their meaning.
#pragma once

#include "settings/settings.hpp"

namespace espalier {

// parse_settings(), and an error too if a forced algorithm does not exist or does not take a parameter.
[[nodiscard]] ParsedSettings checked_settings(std::span<const char* const> environment);
[[nodiscard]] ParsedSettings checked_settings(ParsedSettings parsed);

// Replaces the forced choices by those in `text` (as ESPALIER_ALGORITHM has them); returns an error text, or nothing,
// and changes `settings` only on success.
[[nodiscard]] std::string force(std::string_view text, Settings& settings);

}  // namespace espalier
