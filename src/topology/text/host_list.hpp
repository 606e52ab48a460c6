// SPDX-License-Identifier: Apache-2.0
// Slurm's lists of hosts.
//
//   a,b            two hosts
//   tux[0-2,08]    tux0 tux1 tux2 tux08: numbers keep the leading zeros of the first one of a range
//   r[1-2]n[1-2]   r1n1 r1n2 r2n1 r2n2
//   t[000x120]     the box between two corners, whose digits go to base 36 (0-9, A-Z): t000 t010 t020 t100 t110 t120
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace espalier {

// Throws std::invalid_argument, which says what is wrong and what is allowed; also if there would be more than `most`
// hosts, before there are.
[[nodiscard]] std::vector<std::string> hosts_of(std::string_view list, std::size_t most);

// 0 to 35; -1 if it is no digit to base 36.
[[nodiscard]] int digit_of(char letter);

}  // namespace espalier
