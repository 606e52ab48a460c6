// SPDX-License-Identifier: Apache-2.0
// Writes SVG: a few shapes, self-contained, no fonts and no scripts from elsewhere.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

struct Point {
  double x = 0, y = 0;
};

struct Stroke {
  std::string colour = "#000000";
  double width = 1;
  bool dashed = false;
};

class Svg {
 public:
  // `style`: rules of CSS for the classes that are used.
  Svg(double width, double height, std::string_view style);

  void rectangle(Point corner, double width, double height, std::string_view css_class, std::string_view colour = "");
  void line(Point from, Point to, std::string_view css_class);
  void circle(Point centre, double radius, std::string_view css_class, std::string_view colour = "");
  void text(Point at, std::string_view css_class, std::string_view words);
  // Ends in a head at `to`. `bend` moves the middle sideways (to the left, seen along the arrow). `tip`: what a viewer
  // says when pointed at it.
  void arrow(Point from, Point to, const Stroke& stroke, double bend, std::string_view tip);

  [[nodiscard]] std::string finish() &&;

 private:
  std::string out_;
};

// The point `distance` away from `from` in the direction of `to`.
[[nodiscard]] Point towards(Point from, Point to, double distance);

}  // namespace espalier
