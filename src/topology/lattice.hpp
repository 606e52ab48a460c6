// SPDX-License-Identifier: Apache-2.0
// Places in a box of any dimension, numbered with the first axis fastest.
#pragma once

#include <vector>

namespace espalier {

using Coordinates = std::vector<int>;

struct Lattice {
  struct Axis {
    int extent = 1;
    bool wraps = false;    // the last point is a neighbour of the first
    bool doubled = false;  // a ring of two has two links, one for each direction round
    friend bool operator==(const Axis&, const Axis&) = default;
  };
  std::vector<Axis> axes;

  [[nodiscard]] int dimensions() const { return static_cast<int>(axes.size()); }
  [[nodiscard]] int points() const;
  [[nodiscard]] Coordinates coordinates_of(int number) const;
  [[nodiscard]] int number_of(const Coordinates& place) const;

  // The point one step along an axis (step: 1 or -1); false if the box ends there.
  [[nodiscard]] bool step(Coordinates& place, int axis, int step) const;

  // Every axis is a ring whose two directions round have links of their own: of three or more, or of two with two
  // links.
  [[nodiscard]] bool is_torus() const;
  friend bool operator==(const Lattice&, const Lattice&) = default;
};

}  // namespace espalier
