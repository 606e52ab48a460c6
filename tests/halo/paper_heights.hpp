// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace espalier::halo {

// All heights of SCALE-LES3 that paper 3 measured.
inline constexpr std::array scale_les3_heights = {60, 70, 80, 109, 218, 327, 436, 545, 654, 763, 872};

}  // namespace espalier::halo
