// SPDX-License-Identifier: Apache-2.0
// Whether the kernel at the other end of a connection still answers; `none`: there is no connection.
#pragma once

#include <cstdint>

namespace espalier {

enum class Pulse : std::uint8_t { none, alive, dead };

}  // namespace espalier
