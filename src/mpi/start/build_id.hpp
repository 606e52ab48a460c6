// SPDX-License-Identifier: Apache-2.0
// Which build of the library this is.
#pragma once

#include <cstdint>
#include <string_view>

namespace espalier {

inline constexpr std::string_view library_version = ESPALIER_VERSION;

// A hash of the version and of the build number that the linker put into this library: ranks with different builds may
// decide differently.
[[nodiscard]] std::uint64_t build_hash();

}  // namespace espalier
