// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/snake.hpp"

namespace espalier {

namespace {

// The path from one root: the k-th node on it is k steps away.
class SnakePath {
 public:
  SnakePath(const Network::Box& torus, int root)
      : torus_(torus), root_(torus.lattice.coordinates_of(torus.number_of(root))), last_(torus.lattice.points() - 1) {}

  [[nodiscard]] int last() const { return last_; }

  [[nodiscard]] int steps_to(int node) const {
    const Coordinates place = torus_.lattice.coordinates_of(torus_.number_of(node));
    int steps = 0;
    for (int a = torus_.lattice.dimensions() - 1; a >= 0; --a) {
      steps = steps * extent(a) + turned(wrap(place[a] - root_[a], extent(a)), a, steps);
    }
    return steps;
  }

  [[nodiscard]] int node_after(int steps) const {
    Coordinates place;
    for (int a = 0; a < torus_.lattice.dimensions(); ++a) {
      const int row = steps / extent(a);
      place.push_back(wrap(root_[a] + turned(steps % extent(a), a, row), extent(a)));
      steps = row;
    }
    return torus_.node_at(torus_.lattice.number_of(place));
  }

 private:
  [[nodiscard]] int extent(int a) const { return torus_.lattice.axes[a].extent; }
  // Every other row along an axis is walked backwards. Turns a place in the row into steps along it, or steps into one.
  [[nodiscard]] int turned(int along, int a, int row) const { return row % 2 == 0 ? along : extent(a) - 1 - along; }

  const Network::Box& torus_;
  const Coordinates root_;
  const int last_;
};

}  // namespace

NodeTree snake(const Network::Box& torus, int node, int root) {
  const SnakePath path(torus, root);
  const int steps = path.steps_to(node);
  NodeTree found;
  if (steps > 0) found.parent = path.node_after(steps - 1);
  if (steps < path.last()) found.children.push_back({path.node_after(steps + 1), path.last() - steps - 1});
  return found;
}

}  // namespace espalier
