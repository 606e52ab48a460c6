// SPDX-License-Identifier: Apache-2.0
#include "draw/svg.hpp"

#include <cmath>
#include <cstdio>

namespace espalier {

namespace {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string result = text;
  if (result.ends_with(".0")) result.resize(result.size() - 2);
  return result == "-0" ? "0" : result;
}

std::string pair(Point point) { return number(point.x) + " " + number(point.y); }

std::string attribute(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return std::string(" ").append(name).append("=\"").append(value).append("\"");
}
std::string attribute(std::string_view name, double value) { return attribute(name, number(value)); }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '&')
      result += "&amp;";
    else if (letter == '<')
      result += "&lt;";
    else if (letter == '>')
      result += "&gt;";
    else
      result += letter;
  }
  return result;
}

Point middle(Point a, Point b, double bend) {
  const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
  const double along_x = (b.x - a.x) / length, along_y = (b.y - a.y) / length;
  return {(a.x + b.x) / 2 + along_y * bend, (a.y + b.y) / 2 - along_x * bend};
}

// A triangle whose tip is at `tip`, as it arrives from `from`.
std::string head(Point from, Point tip, double length) {
  const Point base = towards(tip, from, length);
  const double side_x = (tip.y - base.y) * 0.4, side_y = (base.x - tip.x) * 0.4;
  return "M" + pair(tip) + "L" + pair({base.x + side_x, base.y + side_y}) + "L" +
         pair({base.x - side_x, base.y - side_y}) + "Z";
}

}  // namespace

Point towards(Point from, Point to, double distance) {
  const double length = std::max(1e-9, std::hypot(to.x - from.x, to.y - from.y));
  return {from.x + (to.x - from.x) * distance / length, from.y + (to.y - from.y) * distance / length};
}

Svg::Svg(double width, double height, std::string_view style) {
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", height) +
         attribute("viewBox", "0 0 " + pair({width, height})) + ">\n<style>" + std::string(style) + "</style>\n";
}

void Svg::rectangle(Point corner, double width, double height, std::string_view css_class, std::string_view colour) {
  out_ += "<rect" + attribute("class", css_class) + attribute("x", corner.x) + attribute("y", corner.y) +
          attribute("width", width) + attribute("height", height) + attribute("fill", colour) + "/>\n";
}

void Svg::line(Point from, Point to, std::string_view css_class) {
  out_ += "<path" + attribute("class", css_class) + attribute("d", "M" + pair(from) + "L" + pair(to)) + "/>\n";
}

void Svg::circle(Point centre, double radius, std::string_view css_class, std::string_view colour) {
  out_ += "<circle" + attribute("class", css_class) + attribute("cx", centre.x) + attribute("cy", centre.y) +
          attribute("r", radius) + attribute("fill", colour) + "/>\n";
}

void Svg::text(Point at, std::string_view css_class, std::string_view words) {
  out_ += "<text" + attribute("class", css_class) + attribute("x", at.x) + attribute("y", at.y) + ">" + escaped(words) +
          "</text>\n";
}

void Svg::arrow(Point from, Point to, const Stroke& stroke, double bend, std::string_view tip) {
  const double head_length = 5 + 2 * stroke.width;
  const Point control = middle(from, to, bend);
  const Point end = towards(to, control, head_length * 0.8);
  out_ += "<g><title>" + escaped(tip) + "</title><path" +
          attribute("d", "M" + pair(from) + "Q" + pair(control) + " " + pair(end)) + attribute("fill", "none") +
          attribute("stroke", stroke.colour) + attribute("stroke-width", stroke.width) +
          attribute("stroke-dasharray", stroke.dashed ? "6 3" : "") + "/><path" +
          attribute("d", head(control, to, head_length)) + attribute("fill", stroke.colour) + "/></g>\n";
}

std::string Svg::finish() && { return std::move(out_) + "</svg>\n"; }

}  // namespace espalier
