// SPDX-License-Identifier: Apache-2.0
#include "draw/svg.hpp"

#include <gtest/gtest.h>

namespace espalier {
namespace {

TEST(Svg, is_one_closed_element_with_escaped_words) {
  Svg svg(100, 50.25, "text{fill:red}");
  svg.text({1, 2}, "note", "a < b & c > d");
  EXPECT_EQ(std::move(svg).finish(),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"100\" height=\"50.2\" viewBox=\"0 0 100 50.2\">\n"
            "<style>text{fill:red}</style>\n"
            "<text class=\"note\" x=\"1\" y=\"2\">a &lt; b &amp; c &gt; d</text>\n"
            "</svg>\n");
}

TEST(Svg, draws_an_arrow_whose_head_ends_where_it_points) {
  Svg svg(10, 10, "");
  svg.arrow({0, 0}, {100, 0}, {"#123456", 2, true}, 0, "tip");
  const std::string text = std::move(svg).finish();
  EXPECT_NE(text.find("<title>tip</title>"), text.npos);
  EXPECT_NE(text.find("stroke=\"#123456\""), text.npos);
  EXPECT_NE(text.find("stroke-dasharray"), text.npos);
  EXPECT_NE(text.find("d=\"M100 0L"), text.npos);
}

TEST(Towards, goes_the_distance_in_the_direction) {
  const Point point = towards({0, 0}, {30, 40}, 5);
  EXPECT_DOUBLE_EQ(point.x, 3);
  EXPECT_DOUBLE_EQ(point.y, 4);
}

}  // namespace
}  // namespace espalier
