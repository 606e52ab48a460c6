// SPDX-License-Identifier: Apache-2.0
#include "draw/legend.hpp"

#include <algorithm>
#include <cmath>

namespace espalier {

namespace {

constexpr double margin = 24, letter_width = 7, gap = 8;
constexpr int max_shown = 12;

double width_of(Legend::Mark mark) { return mark == Legend::Mark::none ? 0 : 16; }
double width_of(std::string_view words) { return letter_width * static_cast<double>(words.size()) + gap; }

}  // namespace

Legend::Legend(std::string_view title) : width_(margin) { add(Mark::none, "", std::string(title)); }

void Legend::add(Mark mark, const std::string& colour, const std::string& words) {
  entries_.push_back({width_, mark, colour, words});
  width_ += width_of(mark) + width_of(words);
}

void Legend::draw(Svg& svg, double line) const {
  for (const auto& [x, mark, colour, words] : entries_) {
    if (mark == Mark::swatch) svg.rectangle({x, line - 10}, 12, 12, "", colour);
    if (mark == Mark::circle) svg.circle({x + 6, line - 4}, 5.5, "mark", colour);
    if (mark == Mark::square) svg.rectangle({x + 2, line - 8}, 8, 8, "mark", colour);
    svg.text({x + width_of(mark), line}, "note", words);
  }
}

std::vector<int> shown_of(int count) {
  const int shown = std::min(count, max_shown);
  std::vector<int> result;
  for (int k = 0; k < shown; ++k) {
    result.push_back(shown == count ? k : static_cast<int>(std::lround((count - 1.0) * k / (shown - 1))));
  }
  return result;
}

}  // namespace espalier
