// SPDX-License-Identifier: Apache-2.0
// The line below a drawing that says what its marks mean. It knows how wide it is before it is drawn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.hpp"

namespace espalier {

class Legend {
 public:
  enum class Mark { none, swatch, circle, square };

  explicit Legend(std::string_view title);
  void add(Mark mark, const std::string& colour, const std::string& words);

  [[nodiscard]] double width() const { return width_; }
  // `line`: where the text stands. The classes are "note" for texts and "mark" for circles and squares.
  void draw(Svg& svg, double line) const;

 private:
  struct Entry {
    double x;
    Mark mark;
    std::string colour;
    std::string words;
  };
  std::vector<Entry> entries_;
  double width_;
};

// Those of 0 to count - 1 that are shown: all, or twelve of them.
[[nodiscard]] std::vector<int> shown_of(int count);

}  // namespace espalier
