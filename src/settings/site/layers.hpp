// SPDX-License-Identifier: Apache-2.0
// All settings of a job: the environment's, below them those of the user's file, of the site's, and the defaults.
#pragma once

#include <span>

#include "settings/settings.hpp"
#include "settings/site/places.hpp"
#include "settings/site/this_process.hpp"

namespace espalier {

// Reads the files, too. Never throws but on allocation failure.
[[nodiscard]] ParsedSettings layered_settings(std::span<const char* const> environment);
// As they would be on another host.
[[nodiscard]] ParsedSettings layered_settings(std::span<const char* const> environment, const ThisProcess& process);

// The same of files that were read. `user_name()` is asked only where a file names users.
[[nodiscard]] ParsedSettings layered_settings(std::span<const char* const> environment, const FoundSettingsFiles& files,
                                              const ThisProcess& process, std::string (*user_name)());

}  // namespace espalier
