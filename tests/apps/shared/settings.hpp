// SPDX-License-Identifier: Apache-2.0
// Values of ESPALIER_ALGORITHM, from the registry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/types.hpp"

namespace espalier::apps {

// Each collective by one of our algorithms, that can run anywhere, with parameters of all kinds. Other numbers,
// other algorithms: `settings_with_all` numbers from any one on have them all.
[[nodiscard]] std::string own_algorithms(std::uint64_t number);
[[nodiscard]] int settings_with_all();
// Whether that one is also right for blocks of their own sizes.
[[nodiscard]] bool takes_uneven(std::uint64_t number, Collective collective);

// Each collective by that: "in-turn", "native".
[[nodiscard]] std::string all_by(std::string_view name);

}  // namespace espalier::apps
