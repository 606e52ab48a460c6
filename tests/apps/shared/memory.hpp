// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace espalier::apps {

// What this process holds in memory.
std::size_t resident_bytes();

}  // namespace espalier::apps
