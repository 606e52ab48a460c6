// SPDX-License-Identifier: Apache-2.0
#include "draw/palette.hpp"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

TEST(Palette, has_a_different_colour_for_each_of_many) {
  for (const int count : {1, 2, 6, 7, 33}) {
    std::set<std::string> colours;
    for (int k = 0; k < count; ++k) colours.insert(colour_of(k, count));
    EXPECT_EQ(colours.size(), static_cast<std::size_t>(count));
  }
}

TEST(Palette, writes_colours_as_svg_wants_them) {
  EXPECT_EQ(colour_of(0, 1), "#1f5fbf");
  EXPECT_EQ(colour_of(5, 6), "#8a2b8c");
}

}  // namespace
}  // namespace espalier
