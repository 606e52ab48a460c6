// SPDX-License-Identifier: Apache-2.0
#include "draw/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace espalier {

namespace {

using Colour = std::array<double, 3>;

// Blue, teal, green, ochre, red, purple: about equally dark.
constexpr Colour stops[] = {{31, 95, 191}, {13, 140, 150}, {66, 145, 48}, {201, 138, 4}, {205, 63, 43}, {138, 43, 140}};
constexpr int last_stop = std::size(stops) - 1;

}  // namespace

std::string colour_of(int k, int count) {
  const double position = count > 1 ? static_cast<double>(last_stop) * k / (count - 1) : 0;
  const int low = std::clamp(static_cast<int>(position), 0, last_stop - 1);
  std::array<int, 3> mixed{};
  for (int c = 0; c < 3; ++c) {
    mixed[c] = static_cast<int>(std::lround(std::lerp(stops[low][c], stops[low + 1][c], position - low)));
  }
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", mixed[0] & 255, mixed[1] & 255, mixed[2] & 255);
  return text;
}

}  // namespace espalier
