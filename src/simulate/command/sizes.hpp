// SPDX-License-Identifier: Apache-2.0
// Sizes as users list them: "8,64KiB", and "64KiB..1GiB" for 64KiB, 128KiB, ... doubled up to the second.
#pragma once

#include <string>
#include <vector>

namespace espalier::tool {

// Throws BadRequest.
[[nodiscard]] std::vector<std::size_t> requested_sizes(const std::string& option, const std::string& text);

}  // namespace espalier::tool
