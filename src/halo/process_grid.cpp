// SPDX-License-Identifier: Apache-2.0
#include "halo/process_grid.hpp"

#include <charconv>

namespace espalier::halo {

ProcessGrid process_grid_of(std::string_view text, Rank ranks) {
  ProcessGrid grid;
  std::int64_t places = 1;
  const char *at = text.data(), *const end = at + text.size();
  while (true) {
    int size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc{} || size < 1 || (places *= size) > ranks) return {};
    grid.sizes.push_back(size);
    if (next == end) return places == ranks ? grid : ProcessGrid{};
    if (*next != 'x') return {};
    at = next + 1;
  }
}

}  // namespace espalier::halo
