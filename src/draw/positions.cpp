// SPDX-License-Identifier: Apache-2.0
#include "draw/positions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace espalier {

namespace {

constexpr double sibling_distance = 46, level_distance = 74, circle_distance = 62;

using Adjacency = std::vector<std::vector<Rank>>;

Adjacency neighbours_of(int ranks, const std::vector<RankPair>& edges) {
  Adjacency neighbours(ranks);
  const auto add = [&](Rank a, Rank b) {
    if (std::find(neighbours[a].begin(), neighbours[a].end(), b) == neighbours[a].end()) neighbours[a].push_back(b);
  };
  for (const auto& [from, to] : edges) {
    add(from, to);
    add(to, from);
  }
  return neighbours;
}

// Leaves stand side by side; a parent stands above the middle of its children.
class TreePositions {
 public:
  TreePositions(const Adjacency& neighbours, Rank root) : neighbours_(neighbours), depth_(neighbours.size(), -1) {
    across_.resize(neighbours.size());
    visit(root, 0);
  }

  [[nodiscard]] bool reaches_all() const {
    return std::none_of(depth_.begin(), depth_.end(), [](int depth) { return depth < 0; });
  }

  // A tree that is deeper than wide grows to the right.
  [[nodiscard]] std::vector<Point> points() const {
    const bool lies = *std::max_element(depth_.begin(), depth_.end()) > leaves_;
    std::vector<Point> points;
    for (std::size_t rank = 0; rank < depth_.size(); ++rank) {
      const double along = depth_[rank] * level_distance, across = across_[rank] * sibling_distance;
      points.push_back(lies ? Point{along, across} : Point{across, along});
    }
    return points;
  }

 private:
  void visit(Rank rank, int depth) {
    depth_[rank] = depth;
    double first = -1, last = 0;
    for (const Rank child : neighbours_[rank]) {
      if (depth_[child] >= 0) continue;
      visit(child, depth + 1);
      last = across_[child];
      if (first < 0) first = last;
    }
    across_[rank] = first < 0 ? leaves_++ : (first + last) / 2;
  }

  const Adjacency& neighbours_;
  std::vector<int> depth_;
  std::vector<double> across_;
  int leaves_ = 0;
};

std::vector<Point> on_circle(int ranks) {
  const double radius = std::max(110.0, ranks * circle_distance / (2 * std::numbers::pi));
  std::vector<Point> points;
  for (int rank = 0; rank < ranks; ++rank) {
    const double angle = 2 * std::numbers::pi * rank / ranks;
    points.push_back({radius * (1 + std::sin(angle)), radius * (1 - std::cos(angle))});
  }
  return points;
}

}  // namespace

Positions place_nodes(int ranks, Rank root, const std::vector<RankPair>& edges) {
  const Adjacency neighbours = neighbours_of(ranks, edges);
  std::size_t ends = 0;
  for (const auto& list : neighbours) ends += list.size();
  if (ranks > 2 && ends == 2 * (static_cast<std::size_t>(ranks) - 1)) {
    const TreePositions tree(neighbours, root);
    if (tree.reaches_all()) return {tree.points(), true};
  }
  return {on_circle(ranks), false};
}

}  // namespace espalier
