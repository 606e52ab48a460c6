// SPDX-License-Identifier: Apache-2.0
#include "algorithms/shapes/torus_trees.hpp"

namespace espalier {

namespace {

// One tree, seen from its root: coordinates are relative to it, and those of a mirrored tree are negated.
class View {
 public:
  View(const Network::Box& torus, int root, int tree)
      : torus_(torus),
        dimensions_(torus.lattice.dimensions()),
        first_(tree % dimensions_),
        sign_(tree < dimensions_ ? 1 : -1),
        root_(torus.lattice.coordinates_of(torus.number_of(root))) {}

  [[nodiscard]] Coordinates relative(int node) const {
    Coordinates place = torus_.lattice.coordinates_of(torus_.number_of(node));
    for (int a = 0; a < dimensions_; ++a) place[a] = wrap(sign_ * (place[a] - root_[a]), extent(a));
    return place;
  }
  [[nodiscard]] int node_at(Coordinates place) const {
    for (int a = 0; a < dimensions_; ++a) place[a] = wrap(sign_ * place[a] + root_[a], extent(a));
    return torus_.node_at(torus_.lattice.number_of(place));
  }

  [[nodiscard]] static bool is_root(const Coordinates& place) {
    for (const int x : place) {
      if (x != 0) return false;
    }
    return true;
  }

  // Not of the root.
  [[nodiscard]] Coordinates parent(Coordinates place) const {
    if (place[first_] == 0) {
      place[first_] = extent(first_) - 1;
    } else {
      place[axis(last_used(place))]--;
    }
    return place;
  }

  [[nodiscard]] std::vector<Coordinates> children(const Coordinates& place) const {
    std::vector<Coordinates> found;
    for (int a = 0; a < dimensions_; ++a) {
      Coordinates other = place;
      other[a] = (other[a] + 1) % extent(a);
      if (!is_root(other) && parent(other) == place) found.push_back(std::move(other));
    }
    return found;
  }

  // Down to the farthest leaf: to the end of the axis that the tree is at, then of all later ones, and once more if the
  // path ends below the end of the first axis, where the last leaves hang.
  [[nodiscard]] int height(const Coordinates& place) const {
    if (place[first_] == 0 && !is_root(place)) return 0;
    const int last = last_used(place);
    int height = extent(axis(last)) - 1 - place[axis(last)];
    for (int k = last + 1; k < dimensions_; ++k) height += extent(axis(k)) - 1;
    const bool has_leaf_below = dimensions_ > 1 && (last == 0 || place[first_] == extent(first_) - 1);
    return height + (has_leaf_below ? 1 : 0);
  }

 private:
  [[nodiscard]] int extent(int a) const { return torus_.lattice.axes[a].extent; }
  // The k-th axis in this tree's order.
  [[nodiscard]] int axis(int k) const { return (first_ + k) % dimensions_; }
  // The last axis in this tree's order along which the place is away from the root; 0 for the root itself.
  [[nodiscard]] int last_used(const Coordinates& place) const {
    int k = dimensions_ - 1;
    while (k > 0 && place[axis(k)] == 0) --k;
    return k;
  }

  const Network::Box& torus_;
  const int dimensions_, first_, sign_;
  const Coordinates root_;
};

}  // namespace

NodeTree torus_tree(const Network::Box& torus, int node, int root, int tree) {
  const View view(torus, root, tree);
  const Coordinates place = view.relative(node);
  NodeTree found;
  if (!View::is_root(place)) found.parent = view.node_at(view.parent(place));
  for (const Coordinates& child : view.children(place))
    found.children.push_back({view.node_at(child), view.height(child)});
  return found;
}

int torus_tree_height(const Lattice& torus) {
  int height = torus.dimensions() > 1 ? 1 : 0;
  for (const Lattice::Axis& axis : torus.axes) height += axis.extent - 1;
  return height;
}

}  // namespace espalier
